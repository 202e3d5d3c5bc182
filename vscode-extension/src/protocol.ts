// What this extension and `sakaime lsp` say to each other beyond the Language Server Protocol.

import { NotificationType, RequestType, type WorkspaceEdit } from "vscode-languageclient/node";

/** What the server judges by. `detail` is Markdown. */
export interface Status {
  text: string;
  level: "ok" | "warning" | "error";
  detail: string;
}

export interface Rule {
  id: string;
  title: string;
  severity: string;
}

export interface Page {
  markdown: string;
}

/** The edit that allows a finding, or why there is none. `until` is a day, YYYY-MM-DD. */
export interface Allowance {
  uri: string;
  fingerprint: string;
  rule: string;
  reason: string;
  until?: string;
}

export const statusChanged = new NotificationType<Status>("sakaime/status");
export const listRules = new RequestType<{ uri?: string }, { rules: Rule[] }, void>("sakaime/explain");
export const explainRule = new RequestType<{ rule: string; uri?: string }, Page, void>("sakaime/explain");
export const showPolicy = new RequestType<{ uri?: string }, Page, void>("sakaime/showPolicy");
export const allow = new RequestType<Allowance, { edit: WorkspaceEdit } | { error: string }, void>("sakaime/allow");
