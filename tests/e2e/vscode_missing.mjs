// No program: what is said, and what helps. Then the user names one.

import { writeFileSync } from "node:fs";
import { asked, inWorkbench } from "./workbench.mjs";

await inWorkbench(async (window) => {
  const { page } = window;
  const told = {};
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  told.status = await window.status((text) => text.includes("not installed"));
  await page.locator(".notification-list-item", { hasText: "Sakaime" }).first().waitFor();
  told.notices = await window.notices();
  await page.locator(".notification-list-item .monaco-button", { hasText: "Copy the Command" }).click();
  told.copied = await window.clipboard((text) => text.startsWith("pip"));
  writeFileSync(asked.machine, JSON.stringify({ "sakaime.path": [asked.program] }));
  told.started = await window.status((text) => text.startsWith("policy"));
  await window.command("Sakaime: Copy Debug Information");
  told.debug = await window.clipboard((text) => text.startsWith("extension"));
  return told;
});
