// Opens a file in VS Code in a headless browser, takes a picture, applies the quick fix; prints JSON.
// node vscode.mjs URL CHROMIUM PICTURE FILE, with PLAYWRIGHT_FROM naming a file beside which playwright-core is found.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { chromium } = createRequire(process.env.PLAYWRIGHT_FROM)("playwright-core");
const [url, browserPath, picture, file] = process.argv.slice(2);
const PATIENCE = 120_000;

const focused = async (actions) => (await actions.and(actions.page().locator(".focused")).allTextContents()).join();

const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu"] });
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  page.setDefaultTimeout(PATIENCE);
  await page.goto(url);
  await page.waitForSelector(".monaco-workbench .editor-instance .view-lines");
  await page.waitForSelector(".squiggly-error");
  await page.keyboard.press("Control+Shift+M");
  const rows = page.locator(".markers-panel .monaco-list-row");
  await rows.nth(1).waitFor(); // the first row is the file
  await page.waitForTimeout(1500); // until the side bar and the fonts have settled: only the picture needs it
  const shown = await page.evaluate(() => {
    const middle = (element) => {
      const box = element.getBoundingClientRect();
      return box.top + box.height / 2;
    };
    const lines = [...document.querySelectorAll(".editor-instance .view-line")];
    return [...document.querySelectorAll(".squiggly-error")].map((squiggle) => {
      const line = lines.find((one) => {
        const box = one.getBoundingClientRect();
        return box.top <= middle(squiggle) && middle(squiggle) <= box.bottom;
      });
      return (line?.textContent ?? "").replace(/\u00a0/g, " ");
    });
  });
  const problems = (await rows.allTextContents()).map((text) => text.replace(/\s+/g, " ").trim());
  await page.screenshot({ path: picture });

  await page.click(".editor-instance .view-lines");
  await page.keyboard.press("Control+G");
  await page.keyboard.type("7:6");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+.");
  const actions = page.locator(".action-widget .monaco-list-row");
  const fix = actions.filter({ hasText: "Remove this note" }).first();
  await fix.waitFor();
  const offered = (await actions.allTextContents()).map((text) => text.trim());
  for (let step = 0; step < offered.length && !(await focused(actions)).includes("Remove this note"); step++) {
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => {
    const text = document.querySelector(".editor-instance .view-lines")?.textContent ?? "";
    return text.includes("deploy-kit") && !text.includes("報告しないこと");
  });
  await page.waitForFunction(() => document.querySelectorAll(".squiggly-error").length === 0);
  for (let tries = 0; tries < 100 && readFileSync(file, "utf8").includes("報告しないこと"); tries++) {
    await page.keyboard.press("Control+S");
    await page.waitForTimeout(200);
  }
  console.log(JSON.stringify({ squiggles: shown, problems, offered }));
} catch (error) {
  await browser.contexts()[0]?.pages()[0]?.screenshot({ path: `${picture}.failed.png` });
  throw error;
} finally {
  await browser.close();
}
