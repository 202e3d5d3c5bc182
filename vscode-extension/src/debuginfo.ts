// What a report of a fault needs.

import * as os from "node:os";
import * as vscode from "vscode";
import type { State } from "./server";

/** Copies it; nothing of the workspace's contents is in it. */
export async function copyDebugInfo(state: State, context: vscode.ExtensionContext): Promise<void> {
  const settings = vscode.workspace.getConfiguration("sakaime");
  const version = (context.extension.packageJSON as { version: string }).version;
  const lines = [
    `extension ${version}, ${vscode.env.appName} ${vscode.version}, ${process.platform} ${process.arch} ${os.release()}`,
    `workspace: ${vscode.workspace.isTrusted ? "trusted" : "restricted"}, ${vscode.workspace.workspaceFolders?.length ?? 0} folders`,
    `server: ${JSON.stringify(state)}`,
    ...["path", "base", "run", "workspace"].map((name) => `sakaime.${name}: ${JSON.stringify(settings.get(name))}`),
  ];
  await vscode.env.clipboard.writeText(lines.join("\n"));
  vscode.window.setStatusBarMessage("Copied what a report of a fault needs", 5000);
}
