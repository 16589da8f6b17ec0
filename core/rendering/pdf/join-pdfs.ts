import { PDFDict, PDFDocument, PDFName, type PDFPage } from "@cantoo/pdf-lib";
import { PlatenError } from "../../plugin-api/index.js";
import type { Finishing, JoinedPdf } from "./finishing.js";

/** Of all joined PDFs together. */
const MOST_PAGES = 2000;

/** Puts the pages of other PDFs before and after those of `pdf`. */
export async function joinPdfs(
  pdf: PDFDocument,
  { before, after }: Pick<Finishing, "before" | "after">,
): Promise<void> {
  const all = [...before, ...after];
  const copied: PDFPage[][] = [];
  let pages = 0;
  for (const joined of all) {
    const copies = await copyPages(pdf, joined, MOST_PAGES - pages);
    copied.push(copies);
    pages += copies.length;
  }
  let at = 0;
  for (const page of copied.slice(0, before.length).flat())
    pdf.insertPage(at++, page);
  for (const page of copied.slice(before.length).flat()) pdf.addPage(page);
}

/** Whatever the library stumbles over is the fault of the PDF. */
async function copyPages(
  pdf: PDFDocument,
  joined: JoinedPdf,
  most: number,
): Promise<PDFPage[]> {
  try {
    const source = await PDFDocument.load(joined.bytes, {
      updateMetadata: false,
      ignoreEncryption: true,
    });
    refuseUnfit(source, joined, most);
    const pages = await pdf.copyPages(source, source.getPageIndices());
    for (const page of pages) forgetTags(page);
    return pages;
  } catch (cause) {
    if (cause instanceof PlatenError) throw cause;
    throw refusal(joined, "it is no PDF that can be read.", cause);
  }
}

function refuseUnfit(
  source: PDFDocument,
  joined: JoinedPdf,
  most: number,
): void {
  if (source.isEncrypted)
    throw refusal(joined, "it is encrypted. Store it without a password.");
  if (source.getPageCount() > most)
    throw refusal(
      joined,
      `with it there are more than ${MOST_PAGES} joined pages. Leave some out.`,
    );
}

const structureKeys = ["StructParents", "StructParent"].map((key) =>
  PDFName.of(key),
);

/** Tags are not copied: what points to those of the other PDF would point to ours, which are of other pages. */
function forgetTags({ node }: PDFPage): void {
  const marks = node.Annots()?.asArray() ?? [];
  const annotations = marks.map((mark) => node.context.lookup(mark));
  for (const owner of [node, ...annotations])
    if (owner instanceof PDFDict)
      for (const key of structureKeys) owner.delete(key);
}

function refusal(
  { path }: JoinedPdf,
  message: string,
  cause?: unknown,
): PlatenError {
  return new PlatenError("invalid_request", "The PDF cannot be joined.", {
    cause,
    problems: [{ path, code: "unjoinable", message }],
  });
}
