// A workspace that is not trusted, then trusted; then another environment is chosen.

import { existsSync, readFileSync } from "node:fs";
import { asked, inWorkbench } from "./workbench.mjs";

await inWorkbench(async (window) => {
  const { page } = window;
  const told = {};
  const own = () => existsSync(`${asked.folder}/.venv/started`);
  const chosen = () => existsSync(`${asked.chosen}/started`);
  await window.open("README.md");
  await page.waitForSelector(".squiggly-error");
  told.underlined = await window.underlined();
  told.status = await window.status((text) => text.startsWith("policy"));
  told.restricted = await page.locator(".statusbar", { hasText: "Restricted Mode" }).count();
  told.ownBefore = own();
  told.chosenBefore = chosen();
  told.started = readFileSync(asked.started, "utf8");
  await window.command("Workspaces: Manage Workspace Trust");
  await page.locator(".workspace-trust-editor .monaco-button", { hasText: /^Trust$/ }).click();
  await window.until(own, "the workspace's own program");
  await window.status((text) => text.includes("base --help"));
  await window.command("Choose an Environment");
  await window.until(chosen, "the chosen environment's program");
  told.trusted = await window.status((text) => text.startsWith("policy"));
  return told;
});
