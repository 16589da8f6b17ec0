import { buffer } from "node:stream/consumers";
import { type FileStore, PlatenError } from "../../plugin-api/index.js";
import type { SigningSource } from "../../storage/database/index.js";

/** @throws PlatenError `gone` when somebody has taken the file out of the store. */
export async function readSource(
  files: FileStore,
  source: SigningSource | null,
): Promise<Uint8Array> {
  const file = source === null ? null : await files.open(source.storageKey);
  if (file !== null) return buffer(file.stream);
  throw new PlatenError(
    "gone",
    "The PDF that was to be signed is not in the file store any more. Render the document again.",
  );
}
