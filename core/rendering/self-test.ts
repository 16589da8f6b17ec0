import { PlatenError } from "../plugin-api/index.js";
import type { BrowserProcess } from "./browser/browser-process.js";
import { SealedPage } from "./page/sealed-page.js";
import { countPages, embedsFont } from "./print/pdf-facts.js";
import { printPage } from "./print/print-page.js";
import { withinTime } from "./time-limit.js";

const LIMIT_MS = 15_000;
const TEST_PAGE = "<!doctype html><title>Test</title><p>Hello</p>";

/**
 * Prints one word: without a font that it can see, Chromium prints empty pages and says nothing.
 * @throws PlatenError `unavailable` when the word is not in the PDF.
 */
export async function testPrint(browser: BrowserProcess): Promise<void> {
  const page = await SealedPage.open(browser, false);
  const print = printPage(page, TEST_PAGE, {});
  const pdf = await withinTime(print, LIMIT_MS, "the test print");
  page.close().catch(() => null);
  if (countPages(pdf) === 1 && embedsFont(pdf)) return;
  throw new PlatenError(
    "unavailable",
    "The browser prints pages without letters: it finds no font. " +
      "Remove the folder of the unpacked browser, so that it is unpacked again, or set another PUPPETEER_EXECUTABLE_PATH.",
  );
}
