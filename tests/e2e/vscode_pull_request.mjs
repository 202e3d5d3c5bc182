// The pull request of deploy-kit: what is shown of it, and two quick fixes.

import { readFileSync } from "node:fs";
import { asked, inWorkbench } from "./workbench.mjs";

await inWorkbench(async (window) => {
  const { page } = window;
  const told = {};
  const readme = `${asked.folder}/README.md`;
  await window.height(1056);
  await window.open("README.md");
  await page.waitForSelector(".squiggly-error");
  await window.problems(() => true);
  await window.heighten(446);
  // Files that are not open are judged after the one that is.
  told.problems = await window.problems((rows) => rows.some((row) => row.startsWith("review-cases.yml")));
  told.underlined = await window.underlined();
  told.status = await window.status((text) => text.startsWith("policy"));
  told.lenses = await window.lenses((shown) => shown.length);
  await window.picture("vscode");

  await page.keyboard.press("Control+J"); // the panel goes
  await window.height(640);
  await window.goTo(7, 6);
  told.hover = await window.hover((text) => text.includes("報告されなくなる"));
  await page.keyboard.press("Escape");
  told.noteFixes = await window.fixes();
  await window.choose("Remove this note");
  await window.saved(readme, (text) => !text.includes("報告しないこと"));

  told.lensesLater = await window.lenses((shown) => shown.length && !shown[0].includes("narrowed"));
  await window.goTo(readFileSync(readme, "utf8").split("\n").findIndex((line) => line.includes("イメージ")) + 1, 3);
  told.rowFixes = await window.fixes();
  await window.picture("vscode-restore");
  await window.choose("公開するポート");
  await window.saved(readme, (text) => text.includes("公開するポート"));

  await window.open("config", "app.yml");
  await page.waitForSelector(".squiggly-warning");
  await window.goTo(6, 14);
  told.valueFixes = await window.fixes();
  await window.picture("vscode-value");
  await window.choose("SESSION_SECRET");
  await window.saved(`${asked.folder}/config/app.yml`, (text) => !text.includes("dev-secret"));
  told.notices = await window.notices();
  return told;
});
