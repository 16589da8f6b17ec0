import {
  type Document,
  Document as DocumentRow,
  type DocumentStatus,
  OutboxEvent,
  UsageCounter,
} from "../../../core/storage/database/index.js";
import { countEach, type Evidence, type Loss } from "./evidence.js";

const terminal: readonly DocumentStatus[] = ["succeeded", "failed", "expired"];

/** Every accepted document has ended, once: one event tells of it, and what succeeded is one unit of usage. */
export async function checkDocuments(evidence: Evidence): Promise<Loss[]> {
  const { read } = evidence.store;
  const documents = await read.find(DocumentRow);
  const events = await read.find(OutboxEvent);
  const told = events.filter(({ documentId }) => documentId !== null);
  const counts = countEach(told.map(keyOfEvent));
  return [
    ...missing(evidence, documents),
    ...documents.flatMap((row) => faultsOf(row, counts)),
    ...surplus(documents, told),
    ...(await usageFaults(evidence, documents)),
  ];
}

function missing(
  { accepted }: Evidence,
  documents: readonly Document[],
): Loss[] {
  const counts = countEach(documents.map(({ batchId }) => batchId ?? ""));
  return accepted.flatMap(({ batchId, totalCount }) => {
    const found = counts.get(batchId) ?? 0;
    const what = `${batchId}: ${found} of ${totalCount}`;
    return found === totalCount ? [] : [{ kind: "documents missing", what }];
  });
}

function faultsOf(row: Document, told: ReadonlyMap<string, number>): Loss[] {
  const { id, status, lockToken } = row;
  if (!terminal.includes(status))
    return [{ kind: "document not ended", what: `${id} is ${status}` }];
  const times = told.get(keyOf(id, status)) ?? 0;
  return [
    ...(times === 1
      ? []
      : [{ kind: "document not told once", what: `${id}: ${times} times` }]),
    ...(lockToken === null
      ? []
      : [{ kind: "document still locked", what: `${id} is ${status}` }]),
  ];
}

/** Events of another end than the one that the row shows. */
function surplus(
  documents: readonly Document[],
  told: readonly OutboxEvent[],
): Loss[] {
  const ends = new Set(documents.map(({ id, status }) => keyOf(id, status)));
  return told
    .filter((event) => !ends.has(keyOfEvent(event)))
    .map((event) => ({ kind: "untrue event", what: keyOfEvent(event) }));
}

async function usageFaults(
  { store }: Evidence,
  documents: readonly Document[],
): Promise<Loss[]> {
  const rows = await store.read.findBy(UsageCounter, { metric: "documents" });
  const counted = rows.reduce((sum, { amount }) => sum + amount, 0);
  const made = documents.filter(({ status }) => status === "succeeded").length;
  const what = `${counted} units for ${made} documents`;
  return counted === made ? [] : [{ kind: "usage not counted once", what }];
}

function keyOf(documentId: string, status: string): string {
  return `${documentId} document.${status}`;
}

function keyOfEvent({ documentId, type }: OutboxEvent): string {
  return `${documentId ?? ""} ${type}`;
}
