import { PlatenError } from "../../contract/index.js";

/**
 * Lays each page of `strips` over the same page of `body`.
 * @throws PlatenError `render_failed` when they do not have as many pages, since page numbers would be wrong.
 */
export async function layOver(body: Buffer, strips: Buffer): Promise<Buffer> {
  // Loaded by the first document that needs them: they take long to load.
  const { PDFDocument } = await import("@cantoo/pdf-lib");
  const { laySheets } = await import("./join/lay-sheets.js");
  const document = await PDFDocument.load(body, { updateMetadata: false });
  const pages = document.getPageCount();
  const overlay = await PDFDocument.load(strips, { updateMetadata: false });
  if (overlay.getPageCount() !== pages)
    throw new PlatenError(
      "render_failed",
      `The headers and footers take ${overlay.getPageCount()} pages for a document of ${pages}: ` +
        "one of them is higher than its margin. Make it smaller, or the margin larger.",
    );
  laySheets(document, overlay, "over");
  return Buffer.from(await document.save({ useObjectStreams: false }));
}
