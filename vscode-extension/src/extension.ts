// Starts `sakaime lsp` and connects it to the editor.

import * as os from "node:os";
import * as vscode from "vscode";
import { LanguageClient, RevealOutputChannelOn } from "vscode-languageclient/node";
import { resolveCommand } from "./resolve";

const INSTALL = "pip install 'sakaime[lsp]'";

let client: LanguageClient | undefined;
let log: vscode.LogOutputChannel;
let turn: Promise<void> = Promise.resolve();

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  log = vscode.window.createOutputChannel("Sakaime", { log: true });
  context.subscriptions.push(
    log,
    vscode.commands.registerCommand("sakaime.restart", restart),
    vscode.commands.registerCommand("sakaime.showLog", () => log.show()),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("sakaime.path")) {
        void restart();
      }
    }),
  );
  await restart();
}

export async function deactivate(): Promise<void> {
  await enqueue(stop);
}

function restart(): Promise<void> {
  return enqueue(async () => {
    await stop();
    await start();
  });
}

/** One start or stop at a time, in order; one that failed does not hold up the next. */
function enqueue(step: () => Promise<void>): Promise<void> {
  turn = turn.then(step).catch((error: unknown) => log.error(String(error)));
  return turn;
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.dispose();
}

async function start(): Promise<void> {
  const trusted = vscode.workspace.isTrusted;
  const command = resolveCommand({
    // Only the user's value counts: the scope keeps workspaces out, and this does so once more.
    setting: vscode.workspace.getConfiguration("sakaime").inspect<string[]>("path")?.globalValue ?? [],
    env: process.env,
    platform: process.platform,
    folders: (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath),
    trusted,
  });
  if (command === undefined) {
    log.warn(`sakaime was not found. Install it (${INSTALL}) or set sakaime.path.`);
    void notFound();
    return;
  }
  log.info(`starting ${[command.program, ...command.args].join(" ")} (found through ${command.from})`);
  client = new LanguageClient(
    "sakaime",
    "Sakaime",
    {
      command: command.program,
      args: command.args,
      // Not the workspace: `python -m` would import modules from the current folder.
      options: { cwd: os.homedir(), env: { ...process.env, PYTHONSAFEPATH: "1" } },
    },
    {
      // `git:` documents, the old sides of diffs, are left out.
      documentSelector: [{ scheme: "file" }, { scheme: "untitled" }],
      initializationOptions: { trusted },
      outputChannel: log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
    },
  );
  await client.start();
}

async function notFound(): Promise<void> {
  const settings = "Open Settings";
  const answer = await vscode.window.showWarningMessage(
    `Sakaime judges nothing here: the program was not found. Install it with ${INSTALL}, or set sakaime.path.`,
    settings,
  );
  if (answer === settings) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "sakaime.path");
  }
}
