import { Deadline, PlatenError } from "../contract/index.js";
import { embedsFont } from "./print/pdf-facts.js";
import type { Printer } from "./print/printer.js";

const LIMIT_MS = 30_000;
const TEST_PAGE = "<!doctype html><title>Test</title><p>Hello</p>";

/**
 * Prints one word: without a font that it can see, Chromium prints empty pages and says nothing.
 * @throws PlatenError `unavailable` when the word is not in the PDF.
 */
export async function testPrint(printer: Printer): Promise<void> {
  const deadline = Deadline.after(LIMIT_MS);
  const { bytes, pages } = await printer.pdf({ html: TEST_PAGE, deadline });
  if (pages === 1 && embedsFont(bytes)) return;
  throw new PlatenError(
    "unavailable",
    "The browser prints pages without letters: it finds no font. " +
      "Remove the folder of the unpacked browser, so that it is unpacked again, or set another PUPPETEER_EXECUTABLE_PATH.",
  );
}
