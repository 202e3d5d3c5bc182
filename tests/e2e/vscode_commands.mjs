// The commands: pages of rules and of the policy, an exception with its reason, and a server that crashes.

import { readFileSync } from "node:fs";
import { asked, inWorkbench } from "./workbench.mjs";

const starts = () => readFileSync(asked.started, "utf8").trim().split("\n").filter((line) => line.endsWith(" lsp"));

await inWorkbench(async (window) => {
  const { page } = window;
  const told = {};
  await window.height(760);
  await window.open("README.md");
  told.status = await window.status((text) => text.startsWith("policy"));

  await page.locator('.statusbar-item[id="sakaime.sakaime.status"]').click();
  told.policy = await window.preview((text) => text.includes("olicy"));
  await window.picture("vscode-policy");

  await window.open("README.md");
  await window.command("Sakaime: Explain a Rule");
  await page.locator(".quick-input-list .monaco-list-row").first().waitFor();
  await page.locator(".quick-input-widget input").fill("ja/only");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "ja/only" }).first().waitFor();
  told.rules = await page.locator(".quick-input-list .monaco-list-row").allTextContents();
  await page.keyboard.press("Enter");
  told.rule = await window.preview((text) => text.includes("ja/only"));

  await window.open("README.md");
  await page.waitForSelector(".squiggly-error");
  await window.goTo(7, 6);
  told.fixes = await window.fixes();
  await window.choose("Allow ja/only");
  await window.asks((text) => text.startsWith("Why"));
  await window.answer("");
  await window.asks((text) => text.includes("takes a reason"));
  await window.answer("the table is complete");
  await window.asks((text) => text.startsWith("Until when"));
  await window.answer("2027-02-30");
  await window.asks((text) => text.includes("no such day"));
  await window.answer("2099-03-31");
  await window.saved(`${asked.folder}/README.md`, (text) => text.includes("sakaime: allow"));
  told.allowed = readFileSync(`${asked.folder}/README.md`, "utf8").split("\n").filter((line) => line.includes("sakaime: allow"));

  for (let crash = 1; crash <= 4; crash++) {
    const number = starts().length;
    process.kill(Number(starts().at(-1).split(" ")[0]), "SIGKILL");
    if (crash <= 3) {
      await window.until(() => starts().length > number, "the next start");
      await window.status((text) => text.startsWith("policy"));
    }
  }
  told.stopped = await window.status((text) => text.includes("stopped"));
  told.notices = await window.until(async () => {
    const shown = await window.notices();
    return shown.length && shown;
  }, "the notice");
  await page.locator('.statusbar-item[id="sakaime.sakaime.status"]').click();
  told.restarted = await window.status((text) => text.startsWith("policy"));
  return told;
});
