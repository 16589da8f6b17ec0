import { after, before } from "mocha";
import { type Browser, launch, type Page } from "puppeteer-core";
import { prepareBrowserHome } from "../../core/render/index.js";
import { RENDER_CACHE } from "./renderer.js";

export interface Visitor {
  width?: number;
  isDark?: boolean;
  /** Default: they run. */
  withoutScripts?: boolean;
}

/** The shipped browser as people use it, with scripts and network, from a suite's `before` to its `after`. */
export function useBrowser(): (visitor?: Visitor) => Promise<Page> {
  let browser: Browser | undefined;
  before(async () => {
    browser = await start();
  });
  after(() => browser?.close());
  return async ({
    width = 390,
    isDark = false,
    withoutScripts = false,
  } = {}) => {
    if (!browser) throw new Error("the browser of this suite does not run yet");
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    const isMobile = width < 600;
    await page.setViewport({
      width,
      height: 844,
      deviceScaleFactor: 2,
      isMobile,
    });
    const value = isDark ? "dark" : "light";
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
    await page.setJavaScriptEnabled(!withoutScripts);
    return page;
  };
}

async function start(): Promise<Browser> {
  const home = await prepareBrowserHome(RENDER_CACHE);
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
