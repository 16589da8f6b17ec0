import type { Overflow, PageBox, PdfStructure } from "../jobs.js";
import type { IsolatedPage } from "../isolated-page.js";
import {
  findOverflow,
  getContentWidth,
  isRightToLeft,
  findWideElements,
} from "./overflow.js";

/** The options of every print; the paper's size and margins come from the document's own `@page` rules. */
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
 * Prints one document and finds what of it is wider than its pages. Where text runs from right to left, Chromium
 * cuts off what is too wide and its PDF does not tell: such a document is laid out as wide as its pages before.
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

/** Prints what the page shows. @throws PlatenError `render_failed`. */
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
/** The properties are the first object of the file; a title may be long. */
const SEARCHED_BYTES = 16 * 1024;

/** Says who made the PDF, in its place and at its length, so that no other byte moves. A browser of one's own may say something else, and that stays. */
function setCreator(pdf: Buffer): Buffer {
  const at = pdf.subarray(0, SEARCHED_BYTES).indexOf(CHROMIUM_CREATOR);
  if (at >= 0) PLATEN_CREATOR.copy(pdf, at);
  return pdf;
}

/** Gives the html a title and a language where it has none of its own; both reach the PDF. */
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
