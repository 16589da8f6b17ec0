import { type EntityManager, In, LessThanOrEqual } from "typeorm";
import { clock, type Timer } from "../../lib/clock.js";
import { inject, Lifecycle, scoped, createToken } from "../../lib/injection.js";
import type { FileStore, Log } from "../../plugin-api/index.js";
import { FILE_STORE, LOG } from "../../lib/process-values.js";
import { Document, KeptFile, type Store, STORE } from "../database/index.js";
import { deleteTexts } from "./document-texts.js";
import { getOutputDocumentId } from "./links.js";

/** Registered by core/app: files cannot import the capabilities whose tasks they are. */
export const CLEANUP_TASKS =
  createToken<readonly CleanupTask[]>("cleanup tasks");

const hourMs = 60 * 60_000;
const chunkSize = 200;

/** Hourly cleanup of another capability. */
export type CleanupTask = (now: Date) => Promise<void>;

/** Deletes expired files at the start and every hour, and orphaned files every hour. */
@scoped(Lifecycle.ContainerScoped)
export class FileCleanup {
  #timer: Timer | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(FILE_STORE) private readonly files: FileStore,
    @inject(LOG) private readonly log: Log,
    @inject(CLEANUP_TASKS) private readonly tasks: readonly CleanupTask[],
  ) {}

  start(): void {
    this.#enqueue(() => this.#deleteExpired());
    this.#timer = clock
      .every(hourMs, () => {
        this.#enqueue(() => this.#deleteExpired());
        this.#enqueue(() => this.#deleteOrphans());
        for (const task of this.tasks) this.#enqueue(() => task(clock.date()));
      })
      .unref();
  }

  /** Resolves when the running cleanup is done. */
  async stop(): Promise<void> {
    this.#timer?.cancel();
    await this.#running;
  }

  /** One after the other; a failure is logged, and the next hour tries again. */
  #enqueue(work: () => Promise<void>): void {
    this.#running = this.#running.then(work).catch((error: unknown) => {
      this.log.warn({ err: error }, "deleting expired files failed");
    });
  }

  async #deleteExpired(): Promise<void> {
    const { store, files } = this;
    const documents = await deleteExpiredOutputs(store, files, clock.date());
    if (documents > 0) this.log.info({ documents }, "expired files deleted");
  }

  async #deleteOrphans(): Promise<void> {
    const { store, files } = this;
    const count = await deleteOrphanedOutputs(store.read, files, clock.date());
    if (count > 0) this.log.warn({ files: count }, "orphaned files deleted");
  }
}

/**
 * Deletes the files of expired documents, except files that are kept longer; the rows stay.
 * @returns the number of documents.
 */
export async function deleteExpiredOutputs(
  store: Pick<Store, "read" | "unitOfWork">,
  files: FileStore,
  now: Date,
): Promise<number> {
  let total = 0;
  for (;;) {
    const rows = await store.read.find(Document, {
      where: { purgeAt: LessThanOrEqual(now) },
      select: { id: true, outputs: true },
      order: { purgeAt: "ASC" },
      take: chunkSize,
    });
    const ids = rows.map(({ id }) => id);
    const keptFiles = await findKeptFiles(store.read, ids, now);
    const keptKeys = new Set(keptFiles.map(({ storageKey }) => storageKey));
    const keys = rows
      .flatMap(({ outputs }) => outputs.map(({ storageKey }) => storageKey))
      .filter((key) => !keptKeys.has(key));
    for (const key of await deleteTexts(store.unitOfWork, keys))
      await files.delete(key);
    await markPurged(store, ids, now);
    total += rows.length;
    if (rows.length < chunkSize) return total;
  }
}

async function findKeptFiles(
  read: EntityManager,
  documentIds: readonly string[],
  now: Date,
): Promise<KeptFile[]> {
  const rows = await read.findBy(KeptFile, { documentId: In(documentIds) });
  return rows.filter(({ keepUntil }) => keepUntil === null || keepUntil > now);
}

/**
 * Runs after the files are deleted, so that a crash in between only repeats the deletion. A document with kept files
 * becomes due again when the first of them expires. Documents are updated before kept files are read, so that a
 * concurrent transaction that keeps another file waits, and then sets the document's new due time itself.
 */
async function markPurged(
  store: Pick<Store, "unitOfWork">,
  ids: string[],
  now: Date,
): Promise<void> {
  if (ids.length === 0) return;
  await store.unitOfWork.run(async (tx) => {
    const due = { id: In(ids), purgeAt: LessThanOrEqual(now) };
    await tx.update(Document, due, { purgeAt: null });
    await tx.delete(KeptFile, {
      documentId: In(ids),
      keepUntil: LessThanOrEqual(now),
    });
    const nextDue = new Map<string, Date>();
    for (const { documentId, keepUntil } of await findKeptFiles(tx, ids, now)) {
      const earliest = nextDue.get(documentId);
      if (keepUntil && (!earliest || keepUntil < earliest))
        nextDue.set(documentId, keepUntil);
    }
    for (const [id, purgeAt] of nextDue)
      await tx.update(Document, { id }, { purgeAt });
  });
}

/** Deletes files of outputs that no row references. @returns the number of files. */
export function deleteOrphanedOutputs(
  read: EntityManager,
  files: FileStore,
  now: Date,
): Promise<number> {
  const outputs = {
    folder: "outputs",
    chunkSize,
    isCandidate: (key: string) => getOutputDocumentId(key) !== null,
    findReferenced: async (keys: readonly string[]) => {
      const ids = keys.map(getOutputDocumentId).filter((id) => id !== null);
      const rows = await read.find(Document, {
        where: { id: In([...new Set(ids)]) },
        select: { id: true, outputs: true },
      });
      const keptFiles = await read.findBy(KeptFile, { storageKey: In(keys) });
      const referenced = [...rows.flatMap((row) => row.outputs), ...keptFiles];
      return new Set(referenced.map(({ storageKey }) => storageKey));
    },
  };
  return deleteOrphans(files, outputs, now);
}

/** Longer than any time between writing a file and its row; until then, a new file looks like an orphan. */
const minOrphanAgeMs = hourMs;

export interface OrphanSearch {
  folder: string;
  /** Whether rows reference such keys; other files are not deleted. */
  isCandidate: (key: string) => boolean;
  /** Those of the keys that a row references; may contain other keys. */
  findReferenced: (
    keys: readonly string[],
  ) => Promise<ReadonlySet<string | null>>;
  /** The number of keys per query. */
  chunkSize: number;
}

/** Deletes files that no row references, which a crash between file and row leaves. @returns the number of files. */
export async function deleteOrphans(
  files: FileStore,
  search: OrphanSearch,
  now: Date,
): Promise<number> {
  const before = new Date(now.getTime() - minOrphanAgeMs);
  let total = 0;
  let keys: string[] = [];
  const deleteChunk = async () => {
    if (keys.length === 0) return;
    const referenced = await search.findReferenced(keys);
    for (const key of keys.filter((storedKey) => !referenced.has(storedKey)))
      if (await files.deleteIfOlder(key, before)) total += 1;
    keys = [];
  };
  for await (const key of files.keys(search.folder)) {
    if (search.isCandidate(key)) keys.push(key);
    if (keys.length === search.chunkSize) await deleteChunk();
  }
  await deleteChunk();
  return total;
}
