import { availableParallelism } from "node:os";
import { launch } from "puppeteer-core";
import type { BrowserInstallation } from "../core/rendering/browser/browser-installation.js";
import type { Running, Scenario } from "./scenario.js";

/** What most people write: puppeteer with its own flags, a new page for each document. */
export async function puppeteerNewPage(
  home: BrowserInstallation,
  html: string,
): Promise<Running> {
  const browser = await launch({
    executablePath: home.executable,
    headless: "shell",
    args: ["--no-sandbox"],
    env: {
      ...process.env,
      FONTCONFIG_FILE: home.fontConfig,
      LD_LIBRARY_PATH: home.libraries ?? "",
    },
  });
  const scenario: Scenario = {
    name: "puppeteer-new-page",
    concurrency: availableParallelism(),
    share: 0.2,
    roots: [browser.process()?.pid ?? 0],
    makeOne: async () => {
      const page = await browser.newPage();
      await page.setContent(html);
      await page.pdf({ preferCSSPageSize: true, printBackground: true });
      await page.close();
    },
  };
  return { scenarios: [scenario], stop: () => browser.close() };
}
