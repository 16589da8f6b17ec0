import { randomBytes } from "node:crypto";

const outputPattern = /^(doc_[0-9a-f-]{36})\.[0-9a-f]{32}\.[a-z0-9]+$/;

/**
 * A new key of a document's file, `outputs/<2 hex>/<document>.<32 hex>.<extension>`: random, so that it cannot be
 * guessed; it names its document, so that a file whose row was never written can be found.
 */
export function newOutputKey(documentId: string, extension: string): string {
  const random = randomBytes(16).toString("hex");
  return `outputs/${random.slice(0, 2)}/${documentId}.${random}.${extension}`;
}

/** The document that a file in the folder of outputs belongs to; null for a name that is none of ours. */
export function documentOfOutput(fileName: string): string | null {
  return outputPattern.exec(fileName)?.[1] ?? null;
}
