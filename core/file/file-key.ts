import { randomBytes } from "node:crypto";
import { PlatenError } from "../contract/index.js";

const pattern = /^[a-z0-9][a-z0-9_-]*(?:\/[a-z0-9][a-z0-9._-]*){1,7}$/;
const longest = 200;
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

/** @throws PlatenError `internal` for what is no key of ours, such as a path that climbs out of the store. */
export function checkFileKey(key: string): void {
  const isKey =
    key.length <= longest && pattern.test(key) && !key.includes("..");
  if (isKey) return;
  throw new PlatenError(
    "internal",
    "A stored file has a key that this store cannot hold.",
    { cause: new Error(`file key ${JSON.stringify(key.slice(0, 300))}`) },
  );
}
