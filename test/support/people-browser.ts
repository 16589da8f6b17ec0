import { after, before } from "mocha";
import {
  type Browser,
  type BrowserContext,
  launch,
  type Page,
} from "puppeteer-core";
import { installBrowser } from "../../core/rendering/index.js";
import { RENDER_CACHE } from "./renderer.js";
import { isTestWorker } from "./running-renderers.js";

export interface Visitor {
  width?: number;
  isDark?: boolean;
  /** Default: they run. */
  withoutScripts?: boolean;
}

let shared: Promise<Browser> | undefined;

/**
 * The shipped browser as people use it, with scripts and network; its windows are closed in the suite's `after`. In a
 * worker of a parallel run one browser serves all files, and ends with the process.
 */
export function useBrowser(): (visitor?: Visitor) => Promise<Page> {
  let browser: Browser | undefined;
  const windows: BrowserContext[] = [];
  before(async () => {
    browser = await (isTestWorker ? (shared ??= start()) : start());
  });
  after(async () => {
    for (const one of windows) await one.close();
    if (!isTestWorker) await browser?.close();
  });
  return async ({
    width = 390,
    isDark = false,
    withoutScripts = false,
  } = {}) => {
    if (!browser) throw new Error("the browser of this suite does not run yet");
    const context = await browser.createBrowserContext();
    windows.push(context);
    const page = await context.newPage();
    // One picture point for each px: more would be painted by the processor, for nobody.
    await page.setViewport({ width, height: 844, isMobile: width < 600 });
    const value = isDark ? "dark" : "light";
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
    await page.setJavaScriptEnabled(!withoutScripts);
    return page;
  };
}

async function start(): Promise<Browser> {
  const home = await installBrowser(RENDER_CACHE);
  return launch({
    executablePath: home.executable,
    headless: "shell",
    args: ["--no-sandbox"],
    env: {
      ...process.env,
      FONTCONFIG_FILE: home.fontConfig,
      LD_LIBRARY_PATH: home.libraries ?? "",
    },
  });
}
