const PRINTED = Buffer.from("/Creator (Chromium)");
const OURS = Buffer.from("/Creator (Platen)  ");
/** The properties are the first object of the file; a title may be long. */
const SEARCHED_BYTES = 16 * 1024;

/** Says who made the PDF, in its place and at its length, so that no other byte moves. A browser of one's own may say something else, and that stays. */
export function nameCreator(pdf: Buffer): Buffer {
  const at = pdf.subarray(0, SEARCHED_BYTES).indexOf(PRINTED);
  if (at >= 0) OURS.copy(pdf, at);
  return pdf;
}
