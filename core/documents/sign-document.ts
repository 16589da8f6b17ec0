import type { EntityManager } from "typeorm";
import { PlatenError } from "../plugin-api/index.js";
import type { Finished } from "../rendering/pdf/index.js";
import { fieldBoxes } from "./field-boxes.js";
import type { MergedRun } from "./merge-run.js";
import type { SavedFile } from "./output-store.js";
import type { DocumentToSign, SigningOrder } from "./signing.js";

/** A printed document, and who is to sign it. */
export interface DraftToSign {
  order: SigningOrder;
  document: Omit<DocumentToSign, "documentId" | "pdf">;
}

/** Null for a document that goes to nobody. @throws PlatenError `merge_failed` for a field that has no place on a page. */
export function draftToSign(
  { signing, pdf, fileName }: MergedRun,
  printed: Finished | null,
): DraftToSign | null {
  if (signing === null || printed === null) return null;
  const { pages, marks } = printed;
  const boxes = fieldBoxes(signing.fields, marks);
  // Signers read it in mails, where "Document" says nothing.
  const title = pdf.title ?? fileName;
  return {
    order: signing.order,
    document: { title, fileName, pages, boxes },
  };
}

/** What writes the request, once the document is recorded. */
export function signer(
  { order, document }: DraftToSign,
  documentId: string,
  saved: readonly SavedFile[],
): (tx: EntityManager) => Promise<string> {
  const pdf = saved.find(({ artifact }) => artifact.format === "pdf");
  if (!pdf) throw new PlatenError("internal", "The PDF to be signed is lost.");
  return (tx) => order.record(tx, { documentId, ...document, pdf });
}
