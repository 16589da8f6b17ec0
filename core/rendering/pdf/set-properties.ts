import type { PDFDocument } from "@cantoo/pdf-lib";
import type { PdfProperties } from "./finishing.js";

/** Properties that are not given stay as they were printed. */
export function setProperties(
  pdf: PDFDocument,
  { title, author, subject, keywords }: PdfProperties,
): void {
  pdf.setCreator("Platen");
  if (title !== undefined) pdf.setTitle(title, { showInWindowTitleBar: true });
  if (author !== undefined) pdf.setAuthor(author);
  if (subject !== undefined) pdf.setSubject(subject);
  // One text with commas, as the standard has it: the library would part them by blanks.
  if (keywords !== undefined) pdf.setKeywords([keywords.join(", ")]);
}
