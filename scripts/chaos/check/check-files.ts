import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import type { Output } from "../../../core/plugin-api/index.js";
import { deleteOrphanedOutputs } from "../../../core/storage/files/index.js";
import { Document } from "../../../core/storage/database/index.js";
import type { Evidence, Loss } from "./evidence.js";

/** Files as young as this run are orphans too. */
const laterMs = 24 * 3_600_000;

/** Every output can be read, with its checksum; after the sweep there is no other file. */
export async function checkFiles(evidence: Evidence): Promise<Loss[]> {
  const { store, files } = evidence;
  const rows = await store.read.findBy(Document, { status: "succeeded" });
  // The files of those whose time is over may be gone, or not yet.
  const kept = rows.filter(
    ({ purgeAt, expiresAt }) => purgeAt !== null && expiresAt > new Date(),
  );
  const losses: Loss[] = [];
  for (const row of kept) {
    const kind = "document without its files";
    if (row.outputs.length !== row.formats.length)
      losses.push({ kind, what: row.id });
    for (const output of row.outputs)
      losses.push(...(await faultsOf(evidence, output)));
  }
  const later = new Date(Date.now() + laterMs);
  await deleteOrphanedOutputs(store.read, files, later);
  const named = new Set(
    rows.flatMap(({ outputs }) => outputs.map(({ storageKey }) => storageKey)),
  );
  for await (const key of files.keys("outputs"))
    if (!named.has(key)) losses.push({ kind: "orphaned file", what: key });
  return losses;
}

async function faultsOf(
  { files }: Evidence,
  { storageKey, checksum, sizeBytes }: Output,
): Promise<Loss[]> {
  const file = await files.open(storageKey);
  if (file === null) return [{ kind: "file missing", what: storageKey }];
  const bytes = await buffer(file.stream);
  const digest = createHash("sha256").update(bytes).digest("hex");
  const isWhole = bytes.length === sizeBytes && checksum === `sha256:${digest}`;
  return isWhole ? [] : [{ kind: "file damaged", what: storageKey }];
}
