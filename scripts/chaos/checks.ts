import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { buffer, text } from "node:stream/consumers";
import type { FileStore, Output } from "../../core/plugin-api/index.js";
import { getPlatenMetadata } from "../../core/documents/index.js";
import { installBrowser } from "../../core/rendering/index.js";
import {
  type Store,
  Document,
  type DocumentStatus,
  OutboxEvent,
  UsageCounter,
  Batch,
  WebhookDelivery,
  Job,
  NumberSequence,
  SequenceNumber,
} from "../../core/storage/database/index.js";
import { deleteOrphanedOutputs } from "../../core/storage/files/index.js";
import {
  type Arrival,
  type EndpointName,
  ENDPOINTS,
} from "./flaky-receiver.js";
import { findPrintedNumbers } from "./numbers.js";
import type { AcceptedBatch } from "./sender.js";
import type { SupervisedProcess } from "./supervised-process.js";

const checks: readonly Check[] = [
  checkDocuments,
  checkBatches,
  checkDeliveries,
  checkArrivals,
  checkFiles,
  checkQueue,
  checkNumbers,
];

/** Returns every broken promise. No process may be running. */
export async function checkAll(evidence: Evidence): Promise<Loss[]> {
  const losses: Loss[] = [];
  for (const check of checks) losses.push(...(await check(evidence)));
  return losses;
}

/** The state after a run, and what was promised to the senders of the batches. */
export interface Evidence {
  store: Store;
  files: FileStore;
  /** All batches accepted on this database. */
  accepted: readonly AcceptedBatch[];
  /** In order of arrival. */
  arrivals: readonly Arrival[];
  /** The ids of the endpoints. */
  endpoints: Readonly<Record<EndpointName, string>>;
  /** The numbers of sequences in the answers to single requests. */
  printed: readonly string[];
}

/** A broken promise. */
export interface Loss {
  /** The same short text for all losses of a kind. */
  kind: string;
  /** Which one. */
  what: string;
}

type Check = (evidence: Evidence) => Promise<Loss[]>;

/** Counts the occurrences of each value. */
export function countEach(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

const terminal: readonly DocumentStatus[] = ["succeeded", "failed", "expired"];

/** Every document has ended, that of a batch with one event, and each succeeded one but a test is one unit of usage. */
async function checkDocuments(evidence: Evidence): Promise<Loss[]> {
  const { read } = evidence.store;
  const documents = await read.find(Document);
  const events = await read.find(OutboxEvent);
  const reported = events.filter(({ documentId }) => documentId !== null);
  const counts = countEach(reported.map(getEventKey));
  return [
    ...missing(evidence, documents),
    ...documents.flatMap((row) => findDocumentLosses(row, counts)),
    ...surplus(documents, reported),
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

function findDocumentLosses(
  row: Document,
  reported: ReadonlyMap<string, number>,
): Loss[] {
  const { id, batchId, status, lockToken } = row;
  if (!terminal.includes(status))
    return [{ kind: "document not ended", what: `${id} is ${status}` }];
  const times = reported.get(getKey(id, status)) ?? 0;
  return [
    // Documents of single requests have no events.
    ...(times === (batchId === null ? 0 : 1)
      ? []
      : [
          { kind: "document not reported once", what: `${id}: ${times} times` },
        ]),
    ...(lockToken === null
      ? []
      : [{ kind: "document still locked", what: `${id} is ${status}` }]),
  ];
}

/** Events of another status than the row has. */
function surplus(
  documents: readonly Document[],
  reported: readonly OutboxEvent[],
): Loss[] {
  const ends = new Set(documents.map(({ id, status }) => getKey(id, status)));
  return reported
    .filter((event) => !ends.has(getEventKey(event)))
    .map((event) => ({ kind: "untrue event", what: getEventKey(event) }));
}

async function usageFaults(
  { store }: Evidence,
  documents: readonly Document[],
): Promise<Loss[]> {
  const rows = await store.read.findBy(UsageCounter, { metric: "documents" });
  const counted = rows.reduce((sum, { amount }) => sum + amount, 0);
  const made = documents.filter(
    ({ status, isTest }) => status === "succeeded" && !isTest,
  ).length;
  const what = `${counted} units for ${made} documents`;
  return counted === made ? [] : [{ kind: "usage not counted once", what }];
}

function getKey(documentId: string, status: string): string {
  return `${documentId} document.${status}`;
}

function getEventKey({ documentId, type }: OutboxEvent): string {
  return `${documentId ?? ""} ${type}`;
}

/** Only accepted batches exist; each is completed, with one event that has the right counts. */
async function checkBatches({
  store: { read },
  accepted,
}: Evidence): Promise<Loss[]> {
  const batches = await read.find(Batch);
  const type = "documents.completed";
  const events = await read.findBy(OutboxEvent, { type });
  const reported = countEach(events.map(({ batchId }) => batchId ?? ""));
  const losses: Loss[] = [];
  for (const { id, status, remaining } of batches) {
    if (status !== "completed" || remaining !== 0)
      losses.push({ kind: "batch not completed", what: `${id} is ${status}` });
    const times = reported.get(id) ?? 0;
    if (times !== 1)
      losses.push({
        kind: "batch not reported once",
        what: `${id}: ${times} times`,
      });
  }
  for (const event of events)
    losses.push(...(await findWrongCounts(event, { read })));
  return [...losses, ...unexpectedBatches(batches, accepted)];
}

async function findWrongCounts(
  { batchId, data }: OutboxEvent,
  { read }: Pick<Evidence["store"], "read">,
): Promise<Loss[]> {
  const count = (status: "succeeded" | "failed" | "expired") =>
    read.countBy(Document, { batchId: batchId ?? "", status });
  const expected = [
    await count("succeeded"),
    await count("failed"),
    await count("expired"),
  ].join();
  const reported = [
    data.succeededCount,
    data.failedCount,
    data.expiredCount,
  ].join();
  const what = `${String(batchId)}: ${reported} instead of ${expected}`;
  return reported === expected
    ? []
    : [{ kind: "batch reported wrongly", what }];
}

function unexpectedBatches(
  batches: readonly Batch[],
  accepted: Evidence["accepted"],
): Loss[] {
  const known = new Set(accepted.map(({ batchId }) => batchId));
  const there = new Set(batches.map(({ id }) => id));
  return [
    ...batches
      .filter(({ id }) => !known.has(id))
      .map(({ id }) => ({ kind: "batch accepted twice", what: id })),
    ...accepted
      .filter(({ batchId }) => !there.has(batchId))
      .map(({ batchId }) => ({ kind: "batch missing", what: batchId })),
  ];
}

/** Every event has one delivery for each endpoint, and every delivery has ended. */
async function checkDeliveries(evidence: Evidence): Promise<Loss[]> {
  const { read } = evidence.store;
  const deliveries = await read.find(WebhookDelivery);
  const events = await read.find(OutboxEvent);
  return [
    ...unended(deliveries),
    ...events
      .filter(({ dispatchedAt }) => dispatchedAt === null)
      .map((event) => ({
        kind: "event not dispatched",
        what: describeRow(event),
      })),
    ...ENDPOINTS.flatMap((name) =>
      notMadeOnce(evidence, name, { deliveries, events }),
    ),
  ];
}

function unended(deliveries: readonly WebhookDelivery[]): Loss[] {
  return deliveries
    .filter(({ status }) => status === "pending" || status === "held")
    .map((delivery) => ({
      kind: "delivery not ended",
      what: `${describeRow(delivery)} is ${delivery.status}`,
    }));
}

function notMadeOnce(
  { endpoints }: Evidence,
  name: EndpointName,
  rows: { deliveries: WebhookDelivery[]; events: OutboxEvent[] },
): Loss[] {
  const endpointId = endpoints[name];
  const own = rows.deliveries.filter((one) => one.endpointId === endpointId);
  const counts = countEach(own.map(({ eventId }) => eventId));
  return rows.events.flatMap((event) => {
    const count = counts.get(event.id) ?? 0;
    const what = `${describeRow(event)} at ${name}: ${count} times`;
    return count === 1 ? [] : [{ kind: "event not delivered once", what }];
  });
}

function describeRow({ id, type }: OutboxEvent | WebhookDelivery): string {
  return `${type} ${id}`;
}

/**
 * The endpoints have received everything that counts as delivered, and the completion of each batch under one id, after
 * the events of all its documents.
 */
async function checkArrivals(evidence: Evidence): Promise<Loss[]> {
  const documents = await evidence.store.read.find(Document, {
    select: { id: true, batchId: true },
  });
  const all = await Promise.all(
    (["steady", "flaky"] as const).map(async (name) => [
      ...(await notArrived(evidence, name)),
      ...moreThanOne(evidence, name),
      ...(await tooEarly(evidence, name, documents)),
    ]),
  );
  return all.flat();
}

async function notArrived(
  { store, arrivals, endpoints, accepted }: Evidence,
  name: EndpointName,
): Promise<Loss[]> {
  const own = arrivals.filter(({ endpoint }) => endpoint === name);
  const taken = new Set(
    own.filter((one) => one.isAccepted).map(({ id }) => id),
  );
  const delivered = await store.read.findBy(WebhookDelivery, {
    endpointId: endpoints[name],
    status: "delivered",
  });
  const ended = new Set(endsOfBatches(own).map(({ batchId }) => batchId));
  return [
    ...delivered
      .filter(({ id }) => !taken.has(id))
      .map(({ id }) => ({ kind: "message lost", what: `${id} at ${name}` })),
    ...accepted
      .filter(({ batchId }) => !ended.has(batchId))
      .map(({ batchId }) => ({
        kind: "end of batch lost",
        what: `${batchId} at ${name}`,
      })),
  ];
}

/** Completions of one batch under several ids; a repeated id is the same message. */
function moreThanOne({ arrivals }: Evidence, name: EndpointName): Loss[] {
  const ends = endsOfBatches(arrivals.filter((one) => one.endpoint === name));
  const pairs = new Set(ends.map(({ batchId, id }) => `${batchId} ${id}`));
  const counts = countEach([...pairs].map((pair) => pair.split(" ")[0] ?? ""));
  return [...counts]
    .filter(([, count]) => count > 1)
    .map(([batchId, count]) => ({
      kind: "end of batch repeated",
      what: `${batchId} at ${name}: ${count} ids`,
    }));
}

/** Completions that arrived before a document's event, unless that event's attempts are exhausted. */
async function tooEarly(
  { store, arrivals, endpoints }: Evidence,
  name: EndpointName,
  documents: readonly Pick<Document, "id" | "batchId">[],
): Promise<Loss[]> {
  const exhausted = await store.read.findBy(WebhookDelivery, {
    endpointId: endpoints[name],
    status: "exhausted",
  });
  const excused = new Set(exhausted.map(({ documentId }) => documentId));
  const own = arrivals.filter(({ endpoint }) => endpoint === name);
  const taken = own.map((one) => (one.isAccepted ? one.documentId : null));
  const reported = firstPlaces(taken);
  const ends = firstPlaces(
    own.map((one) => (isEndOfBatch(one) ? one.batchId : null)),
  );
  return documents
    .filter(({ id }) => !excused.has(id))
    .filter(({ id, batchId }) => {
      const end = ends.get(batchId ?? "") ?? Infinity;
      return (reported.get(id) ?? end + 1) > end;
    })
    .map(({ id }) => ({
      kind: "end of batch early",
      what: `${id} at ${name}`,
    }));
}

function endsOfBatches(arrivals: readonly Arrival[]): Arrival[] {
  return arrivals.filter(isEndOfBatch);
}

function isEndOfBatch({ type }: Arrival): boolean {
  return type === "documents.completed";
}

/** The first index of each value. */
function firstPlaces(list: readonly (string | null)[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [place, value] of list.entries())
    if (value !== null && !places.has(value)) places.set(value, place);
  return places;
}

/** After all processes have ended, no job is locked, and only permanent jobs are left. */
async function checkQueue({ store }: Evidence): Promise<Loss[]> {
  const jobs = await store.read.find(Job);
  return jobs.flatMap(({ kind, rowId, lockToken }) => [
    ...(lockToken === null
      ? []
      : [{ kind: "job locked", what: `${kind} ${rowId}` }]),
    ...(isPermanent(kind)
      ? []
      : [{ kind: "job left", what: `${kind} ${rowId}` }]),
  ]);
}

/** A sweep or a lock row. */
function isPermanent(kind: string): boolean {
  return kind === "" || kind.startsWith("every:");
}

/** Makes files of this run old enough to count as orphans. */
const laterMs = 24 * 3_600_000;

/** Every output can be read, with its checksum; after the sweep there is no other file. */
async function checkFiles(evidence: Evidence): Promise<Loss[]> {
  const { store, files } = evidence;
  const rows = await store.read.findBy(Document, { status: "succeeded" });
  // Files of expired documents may already be deleted.
  const kept = rows.filter(
    ({ purgeAt, expiresAt }) => purgeAt !== null && expiresAt > new Date(),
  );
  const losses: Loss[] = [];
  for (const row of kept) {
    const kind = "document without its files";
    if (row.outputs.length !== row.formats.length)
      losses.push({ kind, what: row.id });
    for (const output of row.outputs)
      losses.push(...(await findFileLosses(evidence, output)));
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

async function findFileLosses(
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

/**
 * Each number of a sequence was given to exactly one document, which is no test and prints it, and none is missing. No
 * number may be open any more.
 */
async function checkNumbers({
  store: { read },
  files,
  printed,
}: Evidence): Promise<Loss[]> {
  const losses: Loss[] = [];
  const rows = await read.find(SequenceNumber);
  for (const { id, name, nextValue } of await read.find(NumberSequence)) {
    const own = rows.filter(({ sequenceId }) => sequenceId === id);
    const values = new Set(own.map(({ value }) => value));
    for (let value = 1; value < nextValue; value += 1)
      if (!values.has(value))
        losses.push({ kind: "number missing", what: `${name} ${value}` });
  }
  for (const row of rows.filter(({ confirmedAt }) => confirmedAt === null))
    losses.push({ kind: "number left open", what: row.text });

  const all = await read.find(Document);
  const numbered = all.flatMap((document) =>
    getNumbers(document).map((number) => ({ number, document })),
  );
  const given = new Set(rows.map((row) => `${row.text} ${row.documentId}`));
  const recorded = new Set(
    numbered.map(({ number, document }) => `${number} ${document.id}`),
  );
  for (const what of new Set([...given, ...recorded]))
    if (!given.has(what) || !recorded.has(what))
      losses.push({ kind: "number of another document", what });
  const numbers = numbered.map(({ number }) => number);
  losses.push(
    ...findRepeated("number given twice", numbers),
    ...findRepeated("number answered twice", printed),
    ...printed
      .filter((number) => !numbers.includes(number))
      .map((what) => ({ kind: "answered number not recorded", what })),
  );
  for (const { number, document } of numbered) {
    const { id, isTest, outputs } = document;
    const what = `${number} of ${id}`;
    if (isTest) losses.push({ kind: "test with a number", what });
    for (const { mimeType, storageKey } of outputs) {
      const isHtml = mimeType.startsWith("text/html");
      const file = isHtml && (await files.open(storageKey));
      // That of an expired document may already be deleted.
      if (!file) continue;
      const found = findPrintedNumbers(await text(file.stream)).join();
      if (found !== number)
        losses.push({
          kind: "number printed wrongly",
          what: `${what}: ${found}`,
        });
    }
  }
  return losses;
}

function getNumbers(document: Document): string[] {
  const { numbers } = getPlatenMetadata(document);
  return Object.values(numbers ?? {}).map(String);
}

function findRepeated(kind: string, values: readonly string[]): Loss[] {
  return [...countEach(values)]
    .filter(([, count]) => count > 1)
    .map(([value, count]) => ({ kind, what: `${value}: ${count} times` }));
}

/** The processes stopped cleanly and left no process, and no file that the next start does not remove. */
export async function checkLeftovers(
  folder: string,
  parts: readonly SupervisedProcess[],
): Promise<Loss[]> {
  const losses: Loss[] = [];
  for (const part of parts) {
    for (const what of part.stopFailures)
      losses.push({ kind: "bad end", what });
    for (const { pid } of await part.leftovers())
      losses.push({ kind: "process left", what: String(pid) });
  }
  for (const name of [
    ...(await temporaryFiles(folder)),
    ...(await browserFolders(parts.flatMap(({ pids }) => pids))),
  ])
    losses.push({ kind: "temporary file left", what: name });
  return losses;
}

/** Incomplete outputs and drafts of batches. Opening the file store has deleted the former. */
async function temporaryFiles(folder: string): Promise<string[]> {
  const halves = await readdir(join(folder, "files", ".tmp"));
  const names = await readdir(folder);
  return [...halves, ...names.filter((name) => name.startsWith(".draft-"))];
}

/** Installs the browser again, as each start does, and returns the profiles that remain. */
async function browserFolders(pids: readonly number[]): Promise<string[]> {
  const { profiles } = await installBrowser(resolve(".cache/render"));
  const names = await readdir(profiles);
  return names.filter((name) =>
    pids.some((pid) => name.startsWith(`profile-${pid}-`)),
  );
}
