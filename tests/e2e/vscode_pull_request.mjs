// The pull request of deploy-kit: what is shown of it, and two quick fixes.

import { asked, inWorkbench } from "./workbench.mjs";

await inWorkbench(async (window) => {
  const { page } = window;
  const told = {};
  await window.open("README.md");
  await page.waitForSelector(".squiggly-error");
  await window.problems(() => true);
  await window.heighten(175);
  // Files that are not open are judged after the one that is.
  told.problems = await window.problems((rows) => rows.some((row) => row.startsWith("review-cases.yml")));
  told.underlined = await window.underlined();
  told.status = await window.status((text) => text);
  told.lenses = await window.lenses();
  await window.picture("vscode");
  await window.goTo(7, 6);
  told.hover = await window.hover();
  await window.picture("vscode-hover");
  await page.keyboard.press("Escape");
  told.fixes = await window.fixes();
  await window.choose("Remove this note");
  await window.saved(`${asked.folder}/README.md`, (text) => !text.includes("報告しないこと"));
  told.notices = await window.notices();
  return told;
});
