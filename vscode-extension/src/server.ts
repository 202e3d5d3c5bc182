// The server's life: found, asked for its version, started, started anew when it crashes.

import * as os from "node:os";
import { createInterface } from "node:readline";
import * as vscode from "vscode";
import {
  CloseAction,
  DocumentDiagnosticRequest,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  State as ClientState,
  type RequestType,
} from "vscode-languageclient/node";
import { chosenScripts, environments } from "./environments";
import { statusChanged, type Status } from "./protocol";
import { resolveCommand, type Command } from "./resolve";
import { atLeast, NEEDED, versionOf } from "./version";

export type State =
  | { is: "starting" }
  | { is: "running"; command: Command; version: string; status?: Status }
  /** It does not run, though the program is there. */
  | { is: "stopped"; why: string; command: Command }
  /** There is no program, or none that is new enough. */
  | { is: "missing"; why: string };

// What is on disk and what is typed; of notebooks, the cells; the box for a commit's message. Not the old sides of diffs (`git:`).
const DOCUMENTS = [
  { scheme: "file" },
  { scheme: "untitled" },
  { notebook: "*" },
  { scheme: "vscode-scm", language: "scminput" },
];

/** Logs what goes wrong and shows no message of its own: the status bar and one notice tell it. */
class Client extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

const CRASHES = { most: 3, milliseconds: 180_000 };

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private running: Command | undefined;
  private crashes: number[] = [];
  private turn: Promise<void> = Promise.resolve();
  private readonly changed = new vscode.EventEmitter<State>();
  private now: State = { is: "starting" };

  readonly onDidChangeState = this.changed.event;

  constructor(private readonly log: vscode.LogOutputChannel) {}

  get state(): State {
    return this.now;
  }

  /** Starts the server, or starts it anew. */
  restart(): Promise<void> {
    return this.enqueue(async () => {
      await this.end();
      await this.start();
    });
  }

  /** Starts the server anew if another program would be started now. */
  reconsider(): Promise<void> {
    return this.enqueue(async () => {
      if (JSON.stringify(await this.find()) !== JSON.stringify(this.running)) {
        await this.end();
        await this.start();
      }
    });
  }

  stop(): Promise<void> {
    return this.enqueue(() => this.end());
  }

  dispose(): void {
    this.changed.dispose();
  }

  /** Asks the server. Throws where it does not run, or cannot say. */
  async request<P, R>(type: RequestType<P, R, void>, params: P): Promise<R> {
    if (!this.client?.isRunning()) {
      throw new Error("The server does not run.");
    }
    return this.client.sendRequest<R>(type.method, params);
  }

  /** Asks the server for something that the user wants; undefined where that fails, which the user is told. */
  async ask<P, R>(type: RequestType<P, R, void>, params: P): Promise<R | undefined> {
    try {
      return await this.request(type, params);
    } catch (error) {
      this.log.error(`${type.method}: ${String(error)}`);
      void vscode.window.showErrorMessage(`Sakaime: ${(error as Error).message}`);
      return undefined;
    }
  }

  /** What the server finds in a document that it knows; undefined where it does not say. */
  async diagnose(document: vscode.TextDocument): Promise<vscode.Diagnostic[] | undefined> {
    const provider = this.client?.getFeature(DocumentDiagnosticRequest.method)?.getProvider(document)?.diagnostics;
    const token = new vscode.CancellationTokenSource().token;
    const report = await provider?.provideDiagnostics(document, undefined, token);
    return report && "items" in report ? report.items : undefined;
  }

  /** The client's conversions between the protocol's values and the editor's. */
  get convert(): LanguageClient["protocol2CodeConverter"] | undefined {
    return this.client?.protocol2CodeConverter;
  }

  /** One start or stop at a time, in order; one that failed does not hold up the next. */
  private enqueue(step: () => Promise<void>): Promise<void> {
    this.turn = this.turn.then(step).catch((error: unknown) => this.log.error(String(error)));
    return this.turn;
  }

  private tell(state: State): void {
    this.now = state;
    this.changed.fire(state);
  }

  private async end(): Promise<void> {
    const client = this.client;
    this.client = this.running = undefined;
    // One that is too busy to say goodbye is killed; the next one starts all the same.
    await client?.dispose().catch((error: unknown) => this.log.warn(String(error)));
  }

  private async find(): Promise<Command | undefined> {
    const trusted = vscode.workspace.isTrusted;
    const folders = (vscode.workspace.workspaceFolders ?? []).map((one) => one.uri).filter((uri) => uri.scheme === "file");
    const known = trusted ? await environments() : undefined;
    return resolveCommand({
      // Only the user's value counts: the scope keeps workspaces out, and this does so once more.
      setting: vscode.workspace.getConfiguration("sakaime").inspect<string[]>("path")?.globalValue ?? [],
      chosen: known ? await chosenScripts(known, folders) : [],
      env: process.env,
      platform: process.platform,
      folders: folders.map((uri) => uri.fsPath),
      trusted,
    });
  }

  private async start(): Promise<void> {
    this.tell({ is: "starting" });
    const command = await this.find();
    if (!command) {
      this.tell({ is: "missing", why: "The program sakaime was not found." });
      return;
    }
    this.running = command;
    const shown = [command.program, ...command.args].join(" ");
    // Not in the workspace: `python -m` would import modules from the current folder.
    const options = { cwd: os.homedir(), env: { ...process.env, PYTHONSAFEPATH: "1" } };
    let version: string;
    try {
      version = await versionOf(command, options);
    } catch (error) {
      this.tell({ is: "stopped", why: (error as Error).message, command });
      return;
    }
    this.log.info(`${shown} is sakaime ${version} (found through ${command.from})`);
    if (!atLeast(version, NEEDED)) {
      this.tell({ is: "missing", why: `${shown} is sakaime ${version}; this extension needs ${NEEDED} or later.` });
      return;
    }
    await this.connect(command, version, options);
  }

  /** Whether a server that crashed is started again: three times in three minutes. */
  private again(): boolean {
    const now = Date.now();
    this.crashes = [...this.crashes.filter((time) => now - time < CRASHES.milliseconds), now];
    return this.crashes.length <= CRASHES.most;
  }

  private async connect(command: Command, version: string, options: { cwd: string; env: object }): Promise<void> {
    let ran = false;
    const said: string[] = []; // the last lines on standard error, where a program says why it ends
    const ended = (what: string) => `${[what, ...said].join(" ")} The log says more.`;
    const client = new Client(
      "sakaime",
      "Sakaime",
      { command: command.program, args: [...command.args, "lsp"], options },
      {
        documentSelector: DOCUMENTS,
        initializationOptions: {
          trusted: vscode.workspace.isTrusted,
          base: vscode.workspace.getConfiguration("sakaime").get<string>("base"),
          commands: false,
        },
        // With `sakaime.run` at onSave the server's answer changes when a file is saved.
        diagnosticPullOptions: { onChange: true, onSave: true },
        outputChannel: this.log,
        stdioOptions: {
          stdout: () => undefined, // the protocol, which the client reads
          stderr: (lines) =>
            createInterface({ input: lines }).on("line", (line) => {
              this.log[line.startsWith("WARNING") ? "warn" : "error"](line);
              said.splice(0, said.length, ...said.slice(-1), line);
            }),
        },
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        initializationFailedHandler: () => false, // told below
        errorHandler: {
          error: () => ({ action: ErrorAction.Continue, handled: true }), // of a broken pipe, `closed` hears as well
          closed: () => ({ action: ran && this.again() ? CloseAction.Restart : CloseAction.DoNotRestart, handled: true }),
        },
      },
    );
    client.onDidChangeState(({ newState }) => {
      if (client !== this.client) {
        return;
      }
      if (newState === ClientState.Running) {
        ran = true;
        this.tell({ is: "running", command, version });
      } else if (newState === ClientState.Starting) {
        this.tell({ is: "starting" });
      } else if (ran) {
        this.tell({ is: "stopped", why: ended("The server stopped."), command });
      }
    });
    client.onNotification(statusChanged, (status) => {
      if (client === this.client) {
        this.tell({ is: "running", command, version, status });
      }
    });
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      this.log.error(String(error));
      this.tell({ is: "stopped", why: ended("The server did not start."), command });
    }
  }
}
