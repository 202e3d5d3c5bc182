// VS Code in a headless browser, by what a user does and sees. A script calls `inWorkbench`; what its function gives is printed
// as JSON. node SCRIPT.mjs '{"url", "chromium", "pictures", ...}', with PLAYWRIGHT_FROM naming a file beside playwright-core.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { chromium } = createRequire(process.env.PLAYWRIGHT_FROM)("playwright-core");
const PATIENCE = 60_000;

export const asked = JSON.parse(process.argv[2]);

/** Runs `work` in a window of VS Code; a failure leaves a picture of the window, and one of the extension's log. */
export async function inWorkbench(work) {
  const browser = await chromium.launch({
    executablePath: asked.chromium,
    args: ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"],
  });
  const page = await browser.newPage({ viewport: { width: 1200, height: 640 } });
  const window = new Workbench(page);
  try {
    page.setDefaultTimeout(PATIENCE);
    await page.goto(asked.url);
    await page.waitForSelector(".monaco-workbench .statusbar");
    console.log(JSON.stringify(await work(window)));
  } catch (error) {
    await page.screenshot({ path: `${asked.pictures}/failed.png` });
    await window.command("Sakaime: Show the Log").catch(() => undefined);
    await window.picture("failed-log");
    throw error;
  } finally {
    await browser.close();
  }
}

const plain = (text) => (text ?? "").replace(/\s+/g, " ").trim();

class Workbench {
  constructor(page) {
    this.page = page;
  }

  async picture(name) {
    await this.page.waitForTimeout(1000); // until what moves has settled; nothing but the picture needs it
    await this.page.screenshot({ path: `${asked.pictures}/${name}.png` });
  }

  async height(pixels) {
    await this.page.setViewportSize({ width: 1200, height: pixels });
  }

  /** Waits until `look` gives something that holds, and gives it. */
  async until(look, what, patience = PATIENCE) {
    const end = Date.now() + patience;
    for (;;) {
      const seen = await look();
      if (seen) {
        return seen;
      }
      if (Date.now() > end) {
        throw new Error(`waited in vain for ${what}`);
      }
      await this.page.waitForTimeout(100);
    }
  }

  async command(title) {
    await this.page.keyboard.press("F1");
    await this.page.locator(".quick-input-widget input").fill(`>${title}`);
    const exactly = new RegExp(`^${title}$`); // the first that is offered may be another one with these words
    await this.page.locator(".quick-input-list .label-name", { hasText: exactly }).first().click();
  }

  /** Opens a file by a click in the tree. */
  async open(...path) {
    for (const name of path) {
      const row = this.page.locator(".explorer-folders-view .monaco-list-row", {
        has: this.page.locator(".label-name", { hasText: new RegExp(`^${name.replaceAll(".", "[.]")}$`) }),
      });
      if (!(name !== path.at(-1) && (await row.getAttribute("aria-expanded")) === "true")) {
        await row.click();
      }
    }
    await this.page.waitForSelector(`.tab.active[data-resource-name="${path.at(-1)}"]`);
  }

  async goTo(line, column) {
    await this.page.locator(".editor-instance .view-lines").first().click();
    await this.page.keyboard.press("Control+G");
    await this.page.locator(".quick-input-widget input").fill(`:${line}:${column}`);
    await this.page.keyboard.press("Enter");
    await this.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
  }

  /** The text of the editor as far as it is on the screen. */
  async text() {
    const lines = await this.page.locator(".editor-instance .view-line").allTextContents();
    return lines.join("\n").replace(/\u00a0/g, " ");
  }

  /** The lines that are underlined, by what is under them: error, warning, info, hint. */
  async underlined() {
    return this.page.evaluate(() => {
      const middle = (box) => box.top + box.height / 2;
      const lines = [...document.querySelectorAll(".editor-instance .view-line")];
      const found = {};
      for (const kind of ["error", "warning", "info", "hint"]) {
        found[kind] = [...document.querySelectorAll(`.editor-instance .squiggly-${kind}`)].map((squiggle) => {
          const at = middle(squiggle.getBoundingClientRect());
          const line = lines.find((one) => one.getBoundingClientRect().top <= at && at <= one.getBoundingClientRect().bottom);
          return (line?.textContent ?? "").replace(/\u00a0/g, " ");
        });
      }
      return found;
    });
  }

  /** The rows of the Problems panel, which is opened, once they hold. */
  async problems(holds) {
    if (!(await this.page.locator(".markers-panel").isVisible())) {
      await this.page.keyboard.press("Control+Shift+M");
    }
    return this.until(async () => {
      const rows = (await this.page.locator(".markers-panel .monaco-list-row").allTextContents()).map(plain);
      return rows.length && holds(rows) && rows;
    }, "the problems");
  }

  /** Gives the panel below the editor so many pixels more. */
  async heighten(pixels) {
    const panel = await this.page.locator(".part.panel").boundingBox();
    await this.page.mouse.move(panel.x + panel.width / 2, panel.y);
    await this.page.mouse.down();
    await this.page.mouse.move(panel.x + panel.width / 2, panel.y - pixels, { steps: 5 });
    await this.page.mouse.up();
    await this.page.mouse.move(panel.x + panel.width / 2, panel.y - pixels - 50);
  }

  /** The item in the status bar, once what it shows holds. */
  async status(holds) {
    const item = this.page.locator('.statusbar-item[id="sakaime.sakaime.status"]');
    return this.until(async () => {
      const text = (await item.count()) ? plain(await item.textContent()) : "";
      return holds(text) && text;
    }, "the status bar");
  }

  /** What the hover at the cursor says, once it holds. */
  async hover(holds) {
    const shown = this.page.locator(".monaco-hover:not(.hidden) .hover-contents");
    return this.until(async () => {
      await this.page.keyboard.press("Control+K");
      await this.page.keyboard.press("Control+I");
      await shown.first().waitFor({ timeout: 2000 }).catch(() => undefined);
      const text = (await shown.allTextContents()).map(plain).join(" ");
      return holds(text) && text;
    }, "the hover");
  }

  /** The code lenses, once they hold. */
  async lenses(holds) {
    return this.until(async () => {
      const shown = (await this.page.locator(".codelens-decoration").allTextContents()).map(plain);
      return holds(shown) && shown;
    }, "code lenses");
  }

  /** The quick fixes at the cursor; the menu stays open. */
  async fixes() {
    const rows = this.page.locator(".action-widget .monaco-list-row.action");
    await this.until(async () => {
      await this.page.keyboard.press("Control+.");
      return rows.first().waitFor({ timeout: 3000 }).then(() => true, () => false);
    }, "quick fixes");
    return (await rows.allTextContents()).map(plain);
  }

  /** Chooses one of the quick fixes that are shown. */
  async choose(title) {
    const row = this.page.locator(".action-widget .monaco-list-row.action", { hasText: title }).first();
    const number = await row.getAttribute("data-index");
    const chosen = this.page.locator(`.action-widget .monaco-list-row.focused[data-index="${number}"]`);
    for (let step = 0; step < 30 && !(await chosen.count()); step++) {
      await this.page.keyboard.press("ArrowDown");
    }
    await this.page.keyboard.press("Enter");
  }

  /** Saves until the file on disk holds. */
  async saved(file, holds) {
    await this.until(async () => {
      await this.page.keyboard.press("Control+S");
      return holds(readFileSync(file, "utf8"));
    }, `${file} as wanted`);
  }

  /** Types into the box that asks. */
  async answer(text) {
    const input = this.page.locator(".quick-input-widget input");
    await input.fill(text);
    await this.page.keyboard.press("Enter");
  }

  /** What the box that asks says below the line, once it holds. */
  async asks(holds) {
    const said = this.page.locator(".quick-input-widget:visible .quick-input-message");
    return this.until(async () => {
      const text = plain(await said.textContent({ timeout: 1000 }).catch(() => ""));
      return holds(text) && text;
    }, "the question");
  }

  /** What the preview of Markdown shows. */
  async preview(holds) {
    return this.until(async () => {
      for (const frame of this.page.frames()) {
        const text = plain(await frame.locator("body.vscode-body").textContent({ timeout: 500 }).catch(() => ""));
        if (text && holds(text)) {
          return text;
        }
      }
      return undefined;
    }, "the preview");
  }

  /** What was copied, once it holds. */
  async clipboard(holds) {
    return this.until(async () => {
      const text = await this.page.evaluate(() => navigator.clipboard.readText());
      return holds(text) && text;
    }, "the clipboard");
  }

  async notices() {
    return (await this.page.locator(".notification-list-item-message").allTextContents()).map(plain);
  }
}
