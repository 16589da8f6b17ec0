import {
  type Output,
  PlatenError,
  type SignedFile,
} from "../../plugin-api/index.js";
import type { SavedFile } from "../../documents/index.js";
import {
  Document,
  type SignatureRequest,
} from "../../storage/database/index.js";
import type { EsignParts } from "../ports.js";

/** Databases know no later year than 9999. */
const latest = Date.UTC(9999, 0);

/** Signed files in the store, which nothing names yet: what is not recorded is swept as an orphan. */
export interface StoredFiles {
  outputs: Output[];
  keepUntil: Date;
  remove(): Promise<void>;
}

/** Stores what a provider has made of a request, each under its label. */
export async function storeSigned(
  { store, outputs, times, now }: EsignParts,
  { documentId: id }: SignatureRequest,
  files: readonly SignedFile[],
): Promise<StoredFiles> {
  const { fileName } = await store.read.findOneByOrFail(Document, { id });
  if (!files.some(({ label }) => label === "signed"))
    throw new PlatenError("internal", "The provider gave no signed file.");
  const until = now().getTime() + times.retentionMs;
  const keepUntil = new Date(Math.min(until, latest));
  const saved: SavedFile[] = [];
  for (const file of files)
    saved.push(
      ...(await outputs.save(
        {
          documentId: id,
          fileName: `${fileName ?? "document"}-${file.label}`,
          expiresAt: keepUntil,
        },
        [artifactOf(file)],
      )),
    );
  return {
    outputs: saved.map(({ output }) => output),
    keepUntil,
    remove: () => outputs.remove(saved),
  };
}

function artifactOf({ label, mimeType, bytes }: SignedFile) {
  const extension = extensions[mimeType] ?? "bin";
  return {
    format: "pdf" as const,
    label,
    mimeType,
    extension,
    bytes: Buffer.from(bytes),
  };
}

const extensions: Readonly<Record<string, string>> = {
  "application/pdf": "pdf",
  "application/json": "json",
  "application/zip": "zip",
};
