// The item in the status bar: what is judged by, or why nothing is.

import * as vscode from "vscode";
import type { State } from "./server";

const ICONS = { ok: "$(shield)", warning: "$(warning)", error: "$(error)" };
// What a tooltip may run; the server's text in it comes partly from the repository.
const LINKS = ["sakaime.restart", "sakaime.showLog"];

export function statusItem(): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem("status", vscode.StatusBarAlignment.Right, 100);
  item.name = "Sakaime";
  item.show();
  return item;
}

export function showState(item: vscode.StatusBarItem, state: State): void {
  const level = state.is === "running" ? (state.status?.level ?? "ok") : state.is === "starting" ? "ok" : "error";
  item.text = text(state);
  item.backgroundColor =
    level === "ok" ? undefined : new vscode.ThemeColor(`statusBarItem.${level}Background`);
  item.tooltip = tooltip(state);
  item.command = {
    title: "Sakaime",
    command: { starting: "sakaime.showLog", running: "sakaime.showPolicy", stopped: "sakaime.restart", missing: "sakaime.install" }[state.is],
  };
  item.accessibilityInformation = { label: `Sakaime: ${item.text.replace(/\$\([^)]*\)\s*/g, "")}` };
}

function text(state: State): string {
  switch (state.is) {
    case "starting":
      return "$(sync~spin) Sakaime";
    case "running":
      return `${ICONS[state.status?.level ?? "ok"]} ${plain(state.status?.text ?? "Sakaime")}`;
    case "stopped":
      return "$(error) Sakaime: stopped";
    case "missing":
      return "$(error) Sakaime: not installed";
  }
}

/** Without marks of icons, which a name of a branch may hold. */
function plain(text: string): string {
  return text.replace(/\$\(/g, "$ (");
}

function tooltip(state: State): vscode.MarkdownString {
  const shown = new vscode.MarkdownString();
  shown.isTrusted = { enabledCommands: LINKS };
  if (state.is === "running") {
    shown.appendMarkdown(state.status?.detail ? `${state.status.detail}\n\n---\n\n` : "");
    shown.appendText(`sakaime ${state.version}, ${[state.command.program, ...state.command.args].join(" ")}`);
    shown.appendText(`\n(found through ${state.command.from})`);
  } else if (state.is === "starting") {
    shown.appendText("Sakaime starts.");
  } else {
    shown.appendText(state.why);
  }
  shown.appendMarkdown("\n\n[Restart](command:sakaime.restart) · [Show the log](command:sakaime.showLog)");
  return shown;
}
