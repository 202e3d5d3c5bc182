// The box for a commit's message: it is no tab, and of what is no tab the client asks the server nothing by itself.

import * as vscode from "vscode";
import type { Server } from "./server";

const PAUSE = 200; // milliseconds without a keystroke before the text is judged

/** Shows what is found in the boxes for messages. */
export function watchMessages(server: Server): vscode.Disposable {
  const found = vscode.languages.createDiagnosticCollection("sakaime.messages");
  let timer: NodeJS.Timeout | undefined;
  const judge = async (): Promise<void> => {
    for (const box of vscode.workspace.textDocuments.filter((document) => document.languageId === "scminput")) {
      const version = box.version;
      const items = await server.diagnose(box);
      if (items && version === box.version) {
        found.set(box.uri, items);
      }
    }
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void judge(), PAUSE);
  };
  return vscode.Disposable.from(
    found,
    new vscode.Disposable(() => clearTimeout(timer)),
    vscode.workspace.onDidChangeTextDocument(({ document }) => document.languageId === "scminput" && soon()),
    vscode.workspace.onDidCloseTextDocument((document) => found.delete(document.uri)),
    server.onDidChangeState((state) => (state.is === "running" ? soon() : found.clear())),
  );
}
