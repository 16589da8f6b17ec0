import { PDFDict, PDFDocument, PDFName, type PDFPage } from "@cantoo/pdf-lib";
import { PlatenError } from "../contract/index.js";
import type { Finishing, JoinedPdf } from "./finishing.js";

/** Of all joined PDFs together. */
const MOST_PAGES = 2000;

/** Puts the pages of other PDFs before and after those of `pdf`. */
export async function joinPdfs(
  pdf: PDFDocument,
  { before, after }: Pick<Finishing, "before" | "after">,
): Promise<void> {
  const opened = new Map<JoinedPdf, PDFDocument>();
  let pages = 0;
  for (const joined of [...before, ...after]) {
    const source = await open(joined);
    opened.set(joined, source);
    pages += source.getPageCount();
    if (pages > MOST_PAGES)
      throw refusal(
        joined,
        `with it there are ${pages} joined pages, and ${MOST_PAGES} may be. Leave some out.`,
      );
  }
  let at = 0;
  for (const joined of before)
    for (const page of await pagesOf(pdf, opened.get(joined)))
      pdf.insertPage(at++, page);
  for (const joined of after)
    for (const page of await pagesOf(pdf, opened.get(joined)))
      pdf.addPage(page);
}

async function open(joined: JoinedPdf): Promise<PDFDocument> {
  const source = await PDFDocument.load(joined.bytes, {
    updateMetadata: false,
    ignoreEncryption: true,
  }).catch((cause: unknown) => {
    throw refusal(joined, "it is no PDF that can be read.", cause);
  });
  if (source.isEncrypted)
    throw refusal(joined, "it is encrypted. Store it without a password.");
  return source;
}

async function pagesOf(
  pdf: PDFDocument,
  source: PDFDocument | undefined,
): Promise<PDFPage[]> {
  if (!source) return [];
  const pages = await pdf.copyPages(source, source.getPageIndices());
  for (const page of pages) forgetTags(page);
  return pages;
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
