import type { Overflow, PageBox, PdfStructure } from "../jobs.js";
import type { IsolatedPage } from "../isolated-page.js";
import {
  findOverflow,
  getContentWidth,
  isRightToLeft,
  findWideElements,
} from "./overflow.js";

/** Options of every print; paper size and margins come from the document's `@page` rules. */
const PRINT_OPTIONS = {
  preferCSSPageSize: true,
  printBackground: true,
  generateTaggedPDF: false,
  transferMode: "ReturnAsBase64",
} as const;

/** Prints one document. @throws PlatenError `render_failed`. */
export async function printPage(
  page: IsolatedPage,
  html: string,
  structure: PdfStructure,
): Promise<Buffer> {
  await page.write(html);
  return printLoadedPage(page, structure);
}

/**
 * Prints one document and finds what is wider than its pages. Chromium cuts off right-to-left content that is too wide, and
 * the PDF does not show it: such a document is measured before it is printed.
 * @throws PlatenError `render_failed`.
 */
export async function printAndFindOverflow(
  page: IsolatedPage,
  html: string,
  structure: PdfStructure,
  box: PageBox,
): Promise<{ bytes: Buffer; overflow: Overflow[] }> {
  if (!isRightToLeft(html)) {
    const bytes = await printPage(page, html, structure);
    return { bytes, overflow: await findOverflow(page, html, bytes, box) };
  }
  const roomPx = getContentWidth(box);
  await page.setWindow(roomPx);
  await page.write(html);
  const overflow = await findWideElements(page, html, roomPx);
  return { bytes: await printLoadedPage(page, structure), overflow };
}

/** Prints the loaded document. @throws PlatenError `render_failed`. */
export async function printLoadedPage(
  page: IsolatedPage,
  structure: PdfStructure,
): Promise<Buffer> {
  const { tagged = false, outline = false } = structure;
  const { data } = await page.send("Page.printToPDF", {
    ...PRINT_OPTIONS,
    generateTaggedPDF: tagged || outline,
    generateDocumentOutline: outline,
  });
  return setCreator(Buffer.from(data, "base64"));
}

const CHROMIUM_CREATOR = Buffer.from("/Creator (Chromium)");
const PLATEN_CREATOR = Buffer.from("/Creator (Platen)  ");
/** The properties are the first object of the file, and may contain a long title. */
const SEARCHED_BYTES = 16 * 1024;

/** Replaces the PDF's creator in place, without moving other bytes. A configured browser may write another creator, which stays. */
function setCreator(pdf: Buffer): Buffer {
  const at = pdf.subarray(0, SEARCHED_BYTES).indexOf(CHROMIUM_CREATOR);
  if (at >= 0) PLATEN_CREATOR.copy(pdf, at);
  return pdf;
}

/** Adds a title and a language unless the html has its own; both are written into the PDF. */
export function completeHead(
  html: string,
  title: string | undefined,
  language: string | undefined,
): string {
  let complete = html;
  if (language !== undefined && !/<html\b[^>]*\blang\s*=/i.test(html))
    complete = complete.replace(
      /<html\b/i,
      (tag) => `${tag} lang="${escapeHtml(language)}"`,
    );
  if (title !== undefined && !/<title\b/i.test(html))
    complete = complete.replace(
      /<head\b[^>]*>/i,
      (tag) => `${tag}<title>${escapeHtml(title)}</title>`,
    );
  return complete;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll('"', "&quot;");
}
