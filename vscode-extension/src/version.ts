// Which version of sakaime is there, and whether it is enough.

import { execFile } from "node:child_process";
import type { Command } from "./resolve";

/** The oldest sakaime that says all that this extension asks for. */
export const NEEDED = "0.1.0";

const PATIENCE = 20_000; // milliseconds; a first start on a busy machine takes a few seconds

/** The version that a command says it has, such as "0.1.0". Throws where it is not sakaime, or does not answer. */
export function versionOf(command: Command, options: { cwd: string; env: NodeJS.ProcessEnv }): Promise<string> {
  return new Promise((resolve, reject) => {
    const run = { ...options, timeout: PATIENCE, windowsHide: true };
    execFile(command.program, [...command.args, "--version"], run, (error, out, err) => {
      const version = /^sakaime (\d\S*)/.exec(out)?.[1];
      if (version) {
        resolve(version);
      } else {
        reject(new Error(`${command.program} does not say that it is sakaime: ${(err || error?.message || out).trim()}`));
      }
    });
  });
}

/** Whether a version is at least another one, by the numbers before any further mark ("0.2.0rc1" counts as 0.2.0). */
export function atLeast(version: string, needed: string): boolean {
  const [have, want] = [numbers(version), numbers(needed)];
  for (const [index, number] of want.entries()) {
    const difference = (have[index] ?? 0) - number;
    if (difference !== 0) {
      return difference > 0;
    }
  }
  return true;
}

function numbers(version: string): number[] {
  return (/^\d+(?:\.\d+)*/.exec(version)?.[0] ?? "0").split(".").map(Number);
}
