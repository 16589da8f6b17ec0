import { PDFDocument } from "@cantoo/pdf-lib";
import { attachFiles } from "./attach-files.js";
import type { FinishedBytes } from "./finish-messages.js";
import type { Finishing } from "./finishing.js";
import { joinPdfs } from "./join-pdfs.js";
import { protect } from "./protect.js";
import { setProperties } from "./set-properties.js";
import { takeSignMarks } from "./sign-marks.js";

/**
 * Finishes a PDF. Its tags and bookmarks stay as they are.
 * @throws PlatenError `invalid_request` for a PDF that cannot be joined to it.
 */
export async function finishPdf(
  printed: Uint8Array,
  finishing: Finishing,
): Promise<FinishedBytes> {
  const { before, after, attachments, properties, password } = finishing;
  const pdf = await PDFDocument.load(printed, { updateMetadata: false });
  await joinPdfs(pdf, { before, after });
  // The pages that were joined count: a mark's page is one of the whole document.
  const { signLinks } = finishing;
  const marks = signLinks === undefined ? [] : takeSignMarks(pdf, signLinks);
  const pages = pdf.getPageCount();
  setProperties(pdf, properties ?? {});
  await attachFiles(pdf, attachments);
  if (password) protect(pdf, password);
  const bytes = await pdf.save({
    useObjectStreams: true,
    addDefaultPage: false,
  });
  return { bytes, pages, marks };
}
