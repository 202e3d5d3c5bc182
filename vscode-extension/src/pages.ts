// What the server explains, as read-only Markdown that the editor's preview shows.

import * as vscode from "vscode";
import { explainRule, listRules, showPolicy } from "./protocol";
import type { Server } from "./server";

const SCHEME = "sakaime";
const POLICY = "/policy.md";

/** Pages have addresses: `sakaime:/policy.md` and `sakaime:/rule/PACK/ID.md`, each with the document they are about as query. */
export class Pages implements vscode.TextDocumentContentProvider {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly server: Server) {}

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      // Another policy, other pages.
      this.server.onDidChangeState((state) => state.is === "running" && this.refresh()),
      this.changed,
    );
  }

  async provideTextDocumentContent(page: vscode.Uri): Promise<string> {
    const uri = page.query || undefined;
    const rule = page.path.replace(/^\/rule\/|\.md$/g, "");
    try {
      const asked = page.path === POLICY ? this.server.request(showPolicy, { uri }) : this.server.request(explainRule, { rule, uri });
      return (await asked).markdown;
    } catch (error) {
      return (error as Error).message;
    }
  }

  /** Shows the policy that decides about the document in the active editor. */
  async policy(): Promise<void> {
    await show(address(POLICY));
  }

  /** Shows a rule; without one, asks which. */
  async rule(id?: unknown): Promise<void> {
    const rule = typeof id === "string" ? id : await this.choose();
    if (rule) {
      await show(address(`/rule/${rule}.md`));
    }
  }

  private async choose(): Promise<string | undefined> {
    const answer = await this.server.ask(listRules, { uri: active() });
    const items = answer?.rules.map((rule) => ({ label: rule.id, description: rule.severity, detail: rule.title }));
    const options = { title: "Explain a Rule", matchOnDetail: true, placeHolder: "Which rule?" };
    return items && (await vscode.window.showQuickPick(items, options))?.label;
  }

  private refresh(): void {
    for (const document of vscode.workspace.textDocuments) {
      if (document.uri.scheme === SCHEME) {
        this.changed.fire(document.uri);
      }
    }
  }
}

function active(): string | undefined {
  return vscode.window.activeTextEditor?.document.uri.toString();
}

function address(path: string): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path, query: active() ?? "" });
}

async function show(page: vscode.Uri): Promise<void> {
  // Locked: it does not turn into the preview of the next document that one looks at.
  await vscode.commands.executeCommand("markdown.showPreview", page, [page], { locked: true });
}
