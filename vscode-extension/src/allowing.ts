// Lets a finding stand: asks for the reason and the last day, and writes what the server says.

import * as vscode from "vscode";
import { wrongDay } from "./days";
import { allow } from "./protocol";
import type { Server } from "./server";

const TITLE = "Allow with a Reason";

/** The command `sakaime.allow`, as code actions call it. */
export async function allowFinding(server: Server, uri: string, fingerprint: string, rule: string): Promise<void> {
  const reason = await vscode.window.showInputBox({
    title: `${TITLE} (1/2): ${rule}`,
    prompt: "Why may this stand? Whoever reads the change sees the reason.",
    ignoreFocusOut: true,
    validateInput: (typed) => (typed.trim() ? undefined : "It takes a reason."),
  });
  if (!reason?.trim()) {
    return;
  }
  const until = await vscode.window.showInputBox({
    title: `${TITLE} (2/2): ${rule}`,
    prompt: "Until when? YYYY-MM-DD; empty: for good.",
    ignoreFocusOut: true,
    validateInput: (typed) => wrongDay(typed, new Date()),
  });
  if (until === undefined) {
    return;
  }
  const params = { uri, fingerprint, rule, reason: reason.trim(), until: until.trim() || undefined };
  const answer = await server.ask(allow, params);
  if (!answer) {
    return;
  }
  if ("error" in answer) {
    void vscode.window.showErrorMessage(`Sakaime: ${answer.error}`);
    return;
  }
  const edit = await server.convert?.asWorkspaceEdit(answer.edit);
  if (!edit || !(await vscode.workspace.applyEdit(edit))) {
    void vscode.window.showErrorMessage("Sakaime: the file has changed meanwhile; nothing was written.");
  }
}
