import { extname } from "node:path";
import { buffer } from "node:stream/consumers";
import {
  type FileStore,
  isOutputOf,
  isSignedOutput,
  type OutFile,
  type Output,
  outputSuffix,
  PlatenError,
} from "../../../plugin-api/index.js";
import { safeFileName } from "../../../documents/index.js";
import type { Document } from "../../../storage/database/index.js";

export interface FileParts {
  files: FileStore;
  /** Whether our links are of use to the platform. */
  hasLinks: boolean;
}

/** A document's file on its way to a platform. */
export interface OutgoingFile extends OutFile {
  label: string;
}

type Source = Pick<
  Document,
  "id" | "fileName" | "formats" | "outputs" | "expiresAt"
>;

/** Those that are there yet. @throws PlatenError `gone` for a document whose files have all expired. */
export function outgoingFiles(
  parts: FileParts,
  document: Source,
  now: Date,
): OutgoingFile[] {
  const isExpired = document.expiresAt <= now;
  const kept = document.outputs.filter(
    (output) =>
      isSignedOutput(output) ||
      (!isExpired && isOutputOf(output, document.formats)),
  );
  if (isExpired && kept.length === 0) throw gone();
  return kept.map((output) => fileOf(parts, document, output));
}

function fileOf(
  { files, hasLinks }: FileParts,
  { id, fileName }: Source,
  { label, storageKey, mimeType, sizeBytes, url }: Output,
): OutgoingFile {
  const name = `${safeFileName(fileName ?? "")}${outputSuffix(label)}`;
  return {
    label,
    key: `${id}/${label}`,
    filename: `${name}${extname(storageKey)}`,
    contentType: mimeType,
    sizeBytes,
    bytes: () => read(files, storageKey),
    // Valid for as long as the document is.
    ...(hasLinks && { publicUrl: async () => url }),
  };
}

async function read(files: FileStore, key: string): Promise<Uint8Array> {
  const file = await files.open(key);
  if (file === null) throw gone();
  return buffer(file.stream);
}

function gone(): PlatenError {
  return new PlatenError(
    "gone",
    "The file expired before it could be written. Render the record again.",
  );
}
