// Which program is started as the server.

import * as fs from "node:fs";
import * as path from "node:path";

export interface Command {
  program: string;
  args: string[];
  /** Where the command came from, for people. */
  from: string;
}

export interface Surroundings {
  /** The `sakaime.path` setting. */
  setting: readonly string[];
  /** Folders with the programs of the Python environments that were chosen for the workspace. */
  chosen: readonly string[];
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** Folders of the workspace. */
  folders: readonly string[];
  /** Whether the user trusts the workspace. */
  trusted: boolean;
}

const ENVIRONMENTS = [".venv", "venv"];

/**
 * The command that is run as `sakaime`, always with an absolute program: a bare name would be looked up
 * again by the operating system, on Windows in the current folder first. Undefined if there is none.
 */
export function resolveCommand(around: Surroundings): Command | undefined {
  const [named, ...args] = around.setting;
  if (named) {
    const program = path.isAbsolute(named) ? executable(named, around) : onPath(named, around);
    return program ? { program, args, from: "the setting sakaime.path" } : undefined;
  }
  return inEnvironment(around) ?? plain(onPath("sakaime", around), "PATH");
}

/** What the workspace brings is asked only where the user trusts it. */
function inEnvironment(around: Surroundings): Command | undefined {
  if (!around.trusted) {
    return undefined;
  }
  for (const folder of around.chosen) {
    const found = plain(within(folder, around), "the chosen Python environment");
    if (found) {
      return found;
    }
  }
  for (const folder of around.folders) {
    for (const name of ENVIRONMENTS) {
      const scripts = path.join(folder, name, around.platform === "win32" ? "Scripts" : "bin");
      const found = plain(within(scripts, around), `${name} of the workspace`);
      if (found) {
        return found;
      }
    }
  }
  return undefined;
}

function plain(program: string | undefined, from: string): Command | undefined {
  return program ? { program, args: [], from } : undefined;
}

function onPath(name: string, around: Surroundings): string | undefined {
  if (name.includes("/") || name.includes("\\")) {
    return undefined; // relative to what? Only absolute paths and plain names are taken
  }
  const variable = Object.keys(around.env).find((key) => key.toUpperCase() === "PATH");
  for (const folder of (variable ? around.env[variable] ?? "" : "").split(path.delimiter)) {
    const program = within(folder, around, name);
    if (program) {
      return program;
    }
  }
  return undefined;
}

function within(folder: string, around: Surroundings, name = "sakaime"): string | undefined {
  return path.isAbsolute(folder) ? executable(path.join(folder, name), around) : undefined;
}

function executable(file: string, around: Surroundings): string | undefined {
  const candidate = around.platform === "win32" && !path.extname(file) ? `${file}.exe` : file;
  try {
    fs.accessSync(candidate, fs.constants.X_OK);
    return fs.statSync(candidate).isFile() && allowed(candidate, around) ? candidate : undefined;
  } catch {
    return undefined; // not there, or not to be run
  }
}

/** Of an untrusted workspace nothing is run, wherever its name comes from. */
function allowed(file: string, around: Surroundings): boolean {
  return around.trusted || !inWorkspace(file, around.folders);
}

function inWorkspace(file: string, folders: readonly string[]): boolean {
  // Links are followed on both sides: one outside may point inside.
  const places = [path.resolve(file), fs.realpathSync(file)];
  return folders.some((folder) => {
    const tops = [path.resolve(folder), fs.existsSync(folder) ? fs.realpathSync(folder) : folder];
    return tops.some((top) => places.some((place) => !outside(path.relative(top, place))));
  });
}

function outside(relative: string): boolean {
  return relative === ".." || relative.startsWith(".." + path.sep) || path.isAbsolute(relative);
}
