// The Python environments that were chosen in ms-python's extension, if that is installed. It is never needed.

import * as path from "node:path";
import * as vscode from "vscode";

/** The part of that extension's interface that is used here. */
export interface Environments {
  getActiveEnvironmentPath(resource?: vscode.Uri): { id: string; path: string };
  resolveEnvironment(chosen: { id: string; path: string }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
  onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
}

/** The extension's interface; undefined where it is not installed, or does not start. */
export async function environments(): Promise<Environments | undefined> {
  const extension = vscode.extensions.getExtension<{ environments?: Environments }>("ms-python.python");
  try {
    return (await extension?.activate())?.environments;
  } catch {
    return undefined; // its trouble is shown by itself
  }
}

/** The folders with the programs of the environments that were chosen for some folders. */
export async function chosenScripts(known: Environments, folders: readonly vscode.Uri[]): Promise<string[]> {
  const found = new Set<string>();
  for (const folder of folders) {
    const environment = await known.resolveEnvironment(known.getActiveEnvironmentPath(folder));
    if (environment?.executable.uri) {
      found.add(path.dirname(environment.executable.uri.fsPath));
    }
  }
  return [...found];
}
