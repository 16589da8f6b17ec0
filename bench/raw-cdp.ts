import { availableParallelism } from "node:os";
import type { BrowserInstallation } from "../core/rendering/browser/browser-installation.js";
import { BrowserProcess } from "../core/rendering/browser/browser-process.js";
import { IsolatedPage } from "../core/rendering/isolated-page.js";
import { printPage } from "../core/rendering/print/printer.js";
import type { Running, Scenario } from "./scenario.js";

/** The limit: pages that are kept open and told over the DevTools pipe what to print, and nothing else. */
export async function rawCdp(
  home: BrowserInstallation,
  html: string,
  pages = availableParallelism(),
): Promise<Running> {
  const browser = await BrowserProcess.launch(home, {
    purpose: "print",
    isSandboxed: true,
    pageMemoryMb: 4096,
    startMs: 20_000,
  });
  const open = await Promise.all(
    Array.from({ length: pages }, () => IsolatedPage.open(browser, false)),
  );
  const scenario: Scenario = {
    name: pages === availableParallelism() ? "raw-cdp" : `raw-cdp-${pages}p`,
    concurrency: pages,
    roots: [browser.pid],
    makeOne: async (worker) => {
      const page = open[worker];
      if (!page) throw new RangeError(`there is no page ${worker}`);
      await printPage(page, html, {});
      page.cleanUp();
    },
  };
  return { scenarios: [scenario], stop: () => browser.stop() };
}
