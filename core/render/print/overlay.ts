import { PDFDocument } from "@cantoo/pdf-lib";
import { PlatenError } from "../../contract/index.js";
import { laySheets } from "./join/lay-sheets.js";

/**
 * Lays each page of `strips` over the same page of `body`.
 * @throws PlatenError `render_failed` when they do not have as many pages, since page numbers would be wrong.
 */
export async function layOver(body: Buffer, strips: Buffer): Promise<Buffer> {
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
