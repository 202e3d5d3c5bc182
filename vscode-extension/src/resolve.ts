// Which program is started as the server.

import * as fs from "node:fs";
import * as path from "node:path";

export interface Command {
  program: string;
  args: string[];
  /** Where the command came from, for the log. */
  from: string;
}

export interface Surroundings {
  /** The `sakaime.path` setting. */
  setting: readonly string[];
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** Folders of the workspace. */
  folders: readonly string[];
  /** Whether the user trusts the workspace. */
  trusted: boolean;
}

/**
 * The command that starts the server, always with an absolute program: a bare name would be looked up
 * again by the operating system, on Windows in the current folder first. Undefined if there is none.
 */
export function resolveCommand(around: Surroundings): Command | undefined {
  const [named, ...rest] = around.setting;
  if (named) {
    const program = path.isAbsolute(named) ? executable(named, around) : onPath(named, around);
    return program ? { program, args: [...rest, "lsp"], from: "the setting sakaime.path" } : undefined;
  }
  const program = onPath("sakaime", around);
  return program ? { program, args: ["lsp"], from: "PATH" } : undefined;
}

function onPath(name: string, around: Surroundings): string | undefined {
  if (name.includes("/") || name.includes("\\")) {
    return undefined; // relative to what? Only absolute paths and plain names are taken
  }
  const variable = Object.keys(around.env).find((key) => key.toUpperCase() === "PATH");
  for (const folder of (variable ? around.env[variable] ?? "" : "").split(path.delimiter)) {
    const program = path.isAbsolute(folder) ? executable(path.join(folder, name), around) : undefined;
    if (program) {
      return program;
    }
  }
  return undefined;
}

function executable(file: string, around: Surroundings): string | undefined {
  const endings = around.platform === "win32" && !path.extname(file) ? [".exe"] : [""];
  for (const ending of endings) {
    const candidate = file + ending;
    try {
      fs.accessSync(candidate, fs.constants.X_OK);
      if (fs.statSync(candidate).isFile() && (around.trusted || !inWorkspace(candidate, around.folders))) {
        return candidate;
      }
    } catch {
      continue; // not there, or not to be run
    }
  }
  return undefined;
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
