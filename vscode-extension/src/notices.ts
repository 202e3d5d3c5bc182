// What the user is told when nothing is judged.

import * as vscode from "vscode";
import type { Server, State } from "./server";

const INSTALL = "pip install 'sakaime[lsp]'";
const TOLD = "told-that-it-is-missing";

/** Tells of trouble when it begins; that the program is missing only once, not in every window. */
export async function notice(
  state: State,
  server: Server,
  memory: vscode.Memento,
  log: vscode.LogOutputChannel,
): Promise<void> {
  if (state.is === "starting") {
    return;
  }
  const told = memory.get<boolean>(TOLD) ?? false;
  await memory.update(TOLD, state.is === "missing");
  if (state.is === "missing") {
    log.warn(`${state.why} Install it: ${INSTALL}`);
    if (!told) {
      await install(state);
    }
  } else if (state.is === "stopped") {
    log.error(state.why);
    const [again, show] = ["Restart", "Show the Log"];
    const answer = await vscode.window.showErrorMessage(`Sakaime judges nothing here. ${state.why}`, again, show);
    if (answer === again) {
      await server.restart();
    } else if (answer === show) {
      log.show();
    }
  }
}

/** Tells how sakaime is installed, and why that is needed. */
export async function install(state: State): Promise<void> {
  const [copy, settings] = ["Copy the Command", "Open Settings"];
  const why = state.is === "missing" ? `Sakaime judges nothing here. ${state.why} ` : "";
  const how = `Install it with ${INSTALL} and restart the server, or name the program in sakaime.path.`;
  const restricted = vscode.workspace.isTrusted ? "" : " In Restricted Mode no program of the workspace is used.";
  const answer = await vscode.window.showWarningMessage(`${why}${how}${restricted}`, copy, settings);
  if (answer === copy) {
    await copyInstall();
  } else if (answer === settings) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "sakaime.path");
  }
}

export async function copyInstall(): Promise<void> {
  await vscode.env.clipboard.writeText(INSTALL);
  vscode.window.setStatusBarMessage(`Copied: ${INSTALL}`, 5000);
}
