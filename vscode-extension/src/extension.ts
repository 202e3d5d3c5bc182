// Starts `sakaime lsp`, connects it to the editor, and gives its commands.

import * as vscode from "vscode";
import { allowFinding } from "./allowing";
import { copyDebugInfo } from "./debuginfo";
import { environments } from "./environments";
import { watchMessages } from "./messages";
import { copyInstall, install, notice } from "./notices";
import { Pages } from "./pages";
import { Server } from "./server";
import { showState, statusItem } from "./status";

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("Sakaime", { log: true });
  const item = statusItem();
  const running = (server = new Server(log));
  const pages = new Pages(running);
  const command = vscode.commands.registerCommand;
  /** Another environment that is chosen may bring another program. */
  const follow = async (): Promise<void> => {
    const known = vscode.workspace.isTrusted ? await environments() : undefined;
    if (known) {
      context.subscriptions.push(known.onDidChangeActiveEnvironmentPath(() => running.reconsider()));
    }
  };
  context.subscriptions.push(
    log,
    item,
    running,
    pages.register(),
    watchMessages(running),
    running.onDidChangeState((state) => {
      showState(item, state);
      void notice(state, running, context.globalState, log);
    }),
    command("sakaime.restart", () => running.restart()),
    command("sakaime.showLog", () => log.show()),
    command("sakaime.explain", (rule: unknown) => pages.rule(rule)),
    command("sakaime.showPolicy", () => pages.policy()),
    command("sakaime.allow", (...asked: [string, string, string]) => allowFinding(running, ...asked)),
    command("sakaime.install", () => install(running.state)),
    command("sakaime.copyInstallCommand", copyInstall),
    command("sakaime.copyDebugInfo", () => copyDebugInfo(running.state, context)),
    vscode.workspace.onDidGrantWorkspaceTrust(async () => {
      await running.restart();
      await follow();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(() => running.reconsider()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("sakaime.path")) {
        void running.reconsider();
      }
    }),
  );
  await running.restart();
  await follow();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
