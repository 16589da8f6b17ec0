import { PlatenError } from "../../contract/index.js";

/**
 * Lays each page of `strips` over the same page of `body`.
 * @throws PlatenError `render_failed` when they do not have as many pages, since page numbers would be wrong.
 */
export async function layOver(body: Buffer, strips: Buffer): Promise<Buffer> {
  // Loaded by the first document that needs it: it takes long to load.
  const { PDFDocument } = await import("pdf-lib");
  const document = await PDFDocument.load(body, { updateMetadata: false });
  const pages = document.getPages();
  const overlay = await PDFDocument.load(strips, { updateMetadata: false });
  if (overlay.getPageCount() !== pages.length)
    throw new PlatenError(
      "render_failed",
      `The headers and footers take ${overlay.getPageCount()} pages for a document of ${pages.length}: ` +
        "one of them is higher than its margin. Make it smaller, or the margin larger.",
    );
  const layers = await document.embedPdf(overlay, overlay.getPageIndices());
  for (const [index, page] of pages.entries()) {
    const layer = layers[index];
    if (layer) page.drawPage(layer, { x: 0, y: 0 });
  }
  return Buffer.from(await document.save({ useObjectStreams: false }));
}
