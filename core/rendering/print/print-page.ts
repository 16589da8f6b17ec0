import { findOverflow, roomOf } from "../flaws/overflow/find-overflow.js";
import {
  isRightToLeft,
  wideElements,
} from "../flaws/overflow/wide-elements.js";
import type { Overflow } from "../flaws/print-flaws.js";
import type { PageBox, PdfStructure } from "../jobs.js";
import type { SealedPage } from "../page/sealed-page.js";
import { nameCreator } from "./name-creator.js";

/** The options of every print; the paper's size and margins come from the document's own `@page` rules. */
const PRINT_OPTIONS = {
  preferCSSPageSize: true,
  printBackground: true,
  generateTaggedPDF: false,
  transferMode: "ReturnAsBase64",
} as const;

/** Prints one document. @throws PlatenError `render_failed`. */
export async function printPage(
  page: SealedPage,
  html: string,
  structure: PdfStructure,
): Promise<Buffer> {
  await page.write(html);
  return printWritten(page, structure);
}

/**
 * Prints one document and finds what of it is wider than its pages. Where text runs from right to left, Chromium
 * cuts off what is too wide and its PDF does not tell: such a document is laid out as wide as its pages before.
 * @throws PlatenError `render_failed`.
 */
export async function printOnPages(
  page: SealedPage,
  html: string,
  structure: PdfStructure,
  box: PageBox,
): Promise<{ bytes: Buffer; overflow: Overflow[] }> {
  if (!isRightToLeft(html)) {
    const bytes = await printPage(page, html, structure);
    return { bytes, overflow: await findOverflow(page, html, bytes, box) };
  }
  const roomPx = roomOf(box);
  await page.setWindow(roomPx);
  await page.write(html);
  const overflow = await wideElements(page, html, roomPx);
  return { bytes: await printWritten(page, structure), overflow };
}

/** Prints what the page shows. @throws PlatenError `render_failed`. */
export async function printWritten(
  page: SealedPage,
  structure: PdfStructure,
): Promise<Buffer> {
  const { tagged = false, outline = false } = structure;
  const { data } = await page.send("Page.printToPDF", {
    ...PRINT_OPTIONS,
    generateTaggedPDF: tagged || outline,
    generateDocumentOutline: outline,
  });
  return nameCreator(Buffer.from(data, "base64"));
}
