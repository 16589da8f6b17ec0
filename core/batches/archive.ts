import { extname } from "node:path";
import type { Readable } from "node:stream";
import { safeFileName } from "../documents/index.js";
import { clock } from "../lib/clock.js";
import {
  type FileStore,
  isSignedOutput,
  type Output,
  getOutputSuffix,
  PlatenError,
} from "../plugin-api/index.js";
import {
  type Batch,
  Document,
  SignatureRequest,
  type Store,
} from "../storage/database/index.js";
import { readBatchDocuments } from "./read-batches.js";

/** A file of a batch for an archive. Read it to its end before you request the next one. */
export interface ArchiveEntry {
  /** Unique in the archive, ignoring case. */
  name: string;
  modifiedAt: Date;
  content: Readable;
}

/** @throws PlatenError `conflict` when there is no file yet, `gone` when all files have expired. */
export async function checkArchive(
  { read }: Pick<Store, "read">,
  { id, status }: Batch,
): Promise<void> {
  const succeeded = { batchId: id, status: "succeeded" } as const;
  const [first] = await read.find(Document, {
    where: succeeded,
    order: { expiresAt: "DESC" },
    select: { id: true, expiresAt: true },
    take: 1,
  });
  if (!first)
    throw new PlatenError(
      "conflict",
      status === "completed"
        ? "No document of this batch succeeded, so there is nothing to download."
        : "No document of this batch is ready yet. Wait until the batch is completed.",
    );
  const isSigned = { batchId: id, status: "completed" } as const;
  const isAvailable =
    first.expiresAt > clock.date() ||
    (await read.existsBy(SignatureRequest, isSigned));
  if (!isAvailable)
    throw new PlatenError("gone", "The files of this batch have expired.");
}

/** The files of the documents that succeeded, in the order of the batch; of an expired document only the signed ones. */
export async function* readArchiveEntries(
  { read }: Pick<Store, "read">,
  files: FileStore,
  batchId: string,
): AsyncGenerator<ArchiveEntry> {
  const taken = new Map<string, number>();
  const succeeded = { status: "succeeded" } as const;
  for await (const row of readBatchDocuments(read, batchId, succeeded))
    for (const output of getFiles(row)) {
      const file = await files.open(output.storageKey);
      if (file === null) continue;
      const name = createUniqueName(taken, getName(row, output));
      const modifiedAt = row.completedAt ?? row.createdAt;
      try {
        yield { name, modifiedAt, content: file.stream };
      } finally {
        file.stream.destroy();
      }
    }
}

function getFiles({ outputs, expiresAt }: Document): Output[] {
  return expiresAt <= clock.date() ? outputs.filter(isSignedOutput) : outputs;
}

function getName(
  { fileName }: Document,
  { label, storageKey }: Output,
): { stem: string; extension: string } {
  return {
    stem: `${safeFileName(fileName ?? "")}${getOutputSuffix(label)}`,
    extension: extname(storageKey),
  };
}

/** @param taken the highest number given to each name so far, in lower case. */
function createUniqueName(
  taken: Map<string, number>,
  { stem, extension }: { stem: string; extension: string },
): string {
  const first = `${stem}${extension}`;
  let number = taken.get(first.toLowerCase()) ?? 0;
  for (;;) {
    number += 1;
    const name = number === 1 ? first : `${stem} (${number})${extension}`;
    taken.set(first.toLowerCase(), number);
    if (number > 1 && taken.has(name.toLowerCase())) continue;
    if (number > 1) taken.set(name.toLowerCase(), 1);
    return name;
  }
}
