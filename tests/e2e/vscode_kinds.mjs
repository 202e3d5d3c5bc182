// Documents of other kinds: a cell of a notebook, a file that was never saved, the message of a commit.

import { inWorkbench } from "./workbench.mjs";

const NOTE = "Approved by the infra team, no further review needed.";

await inWorkbench(async (window) => {
  const { page } = window;
  const told = {};
  await window.status((text) => text.startsWith("policy"));
  await window.command("File: New Untitled Text File");
  await page.waitForSelector('.tab.active[data-resource-name^="Untitled"]');
  await page.keyboard.type(NOTE);
  await page.waitForSelector(".editor-instance .squiggly-error");
  told.untitled = (await window.underlined()).error;

  await page.keyboard.press("Control+Shift+G");
  const box = page.locator(".scm-editor .monaco-editor");
  await box.click({ position: { x: 60, y: 10 } });
  await page.keyboard.type(NOTE);
  told.message = await page.waitForSelector(".scm-editor .squiggly-error", { timeout: 10000 }).then(() => true, () => false);
  await window.picture("vscode-message");
  await page.keyboard.press("Control+Shift+E");
  await window.open("notes.ipynb");
  told.notebook = await page.waitForSelector(".notebook-editor .squiggly-error", { timeout: 15000 }).then(() => true, () => false);
  return told;
});
