import type { Document } from "../storage/database/index.js";

/**
 * What events tell of a document's metadata: the caller's keys, its place in the batch, and its name once it has one,
 * unless the caller gave it a `documentName` of their own.
 */
export function eventMetadata({
  metadata,
  fileName,
}: Pick<Document, "metadata" | "fileName">): Record<string, unknown> {
  const { platen: _ours, ...shown } = metadata ?? {};
  return { ...(fileName !== null && { documentName: fileName }), ...shown };
}
