import { type EntityManager, Not } from "typeorm";
import { clock } from "../../lib/clock.js";
import {
  isSignedOutput,
  PlatenError,
  type Attachment,
  type OutFile,
} from "../../plugin-api/index.js";
import {
  findForUpdate,
  type RecordBatch,
  type Store,
  WriteBack,
  type WrittenFile,
} from "../../storage/database/index.js";
import {
  type CallLimits,
  type CellScope,
  type ConnectedPlatform,
  findPlatformError,
} from "../host/index.js";

export interface OutgoingFile extends OutFile {
  label: string;
}

export interface CellTarget {
  /** The ledger of what was written. */
  row: WriteBack;
  cell: CellScope;
  mode: RecordBatch["mode"];
}

/**
 * Writes a document's files into a cell so that each is there once, however often it is tried. The caller ensures that
 * no other job writes to the cell at the same time.
 */
export class CellWriter {
  constructor(
    private readonly store: Pick<Store, "read" | "unitOfWork">,
    private readonly platform: ConnectedPlatform,
    private readonly target: CellTarget,
    /** Of each call. */
    private readonly limits: CallLimits,
  ) {}

  async write(files: readonly OutgoingFile[]): Promise<void> {
    const ownFiles = files.filter((file) => !isSignedOutput(file));
    if (this.target.mode === "replace") await this.#replace(ownFiles);
    else for (const file of ownFiles) await this.#append(file);
    // Signed files come days later and must not replace the document's own files.
    for (const file of files.filter(isSignedOutput)) await this.#append(file);
  }

  /** Writes all files at once. This is idempotent, so that nothing has to be compared. */
  async #replace(files: readonly OutgoingFile[]): Promise<void> {
    if (files.every(({ label }) => this.#find(label).state === "written"))
      return;
    const { cell } = this.target;
    const attachments = await this.platform.writeBack(
      cell,
      files,
      "replace",
      this.limits,
    );
    const written = files.map((file, index) => ({
      label: file.label,
      state: "written" as const,
      remoteId: findRemoteId(file, attachments, index),
    }));
    await this.#save(...written);
  }

  async #append(file: OutgoingFile): Promise<void> {
    const { label } = file;
    const { state } = this.#find(label);
    if (state === "written") return;
    if (state === "sent" && (await this.#hasArrived(file))) return;
    await this.#save({ label, state: "sent", remoteId: null });
    const { cell } = this.target;
    try {
      const attachments = await this.platform.writeBack(
        cell,
        [file],
        "append",
        this.limits,
      );
      const remoteId = findRemoteId(file, attachments, 0);
      await this.#save({ label, state: "written", remoteId });
    } catch (error) {
      if (isRefusal(error))
        await this.#save({ label, state: "waiting", remoteId: null });
      throw error;
    }
  }

  /** Whether a file arrived although its write got no answer. @throws PlatenError `conflict` when this cannot be known. */
  async #hasArrived(file: OutgoingFile): Promise<boolean> {
    const { label } = file;
    const { readBack, keepsFilename } = this.platform.capabilities;
    const attachments = readBack
      ? await this.platform.readAttachments(this.target.cell, this.limits)
      : null;
    const attachment = attachments
      ? findAttachment(file, attachments, {
          keepsFilename,
          claimed: await findClaimedIds(this.store.read, this.target.row),
        })
      : null;
    if (attachment === null) {
      // A person must look into the record; when they retry, the file is written.
      await this.#save({ label, state: "waiting", remoteId: null });
      throw new PlatenError(
        "conflict",
        `${this.platform.title} did not answer when "${file.filename}" was written, and cannot tell whether it arrived. ` +
          "Check the record; if the file is missing, retry the write-back.",
      );
    }
    if (attachment === undefined) return false;
    const { remoteId } = attachment;
    await this.#save({ label, state: "written", remoteId });
    return true;
  }

  #find(label: string): WrittenFile {
    const existing = this.target.row.files.find((file) => file.label === label);
    return existing ?? { label, state: "waiting", remoteId: null };
  }

  /** Called before and after each write, so that a crash between the two is noticed. */
  async #save(...entries: readonly WrittenFile[]): Promise<void> {
    const { row } = this.target;
    await this.store.unitOfWork.run((tx) => saveFiles(tx, row, entries));
  }
}

/** Notes what was written in the ledger. */
async function saveFiles(
  tx: EntityManager,
  row: WriteBack,
  entries: readonly WrittenFile[],
): Promise<void> {
  const labels = new Set(entries.map(({ label }) => label));
  const others = row.files.filter(({ label }) => !labels.has(label));
  row.files = [...others, ...entries];
  const { documentId, files } = row;
  const added = await findAddedFiles(tx, row);
  await tx.update(
    WriteBack,
    { documentId },
    { files: [...files, ...added], updatedAt: clock.date() },
  );
}

/**
 * Writes the files of several documents into cells of one field. A file that the platform does not say to be written
 * stays noted as `sent`, so that `CellWriter` looks into its cell first.
 */
export class ManyCellsWriter<Task extends CellTarget> {
  constructor(
    private readonly store: Pick<Store, "unitOfWork">,
    private readonly platform: ConnectedPlatform,
    private readonly limits: CallLimits,
  ) {}

  /** @returns the tasks whose files are written. Those with a file that is too large are left out. */
  async write(
    tasks: readonly Task[],
    listFiles: (task: Task) => OutgoingFile[],
  ): Promise<Set<Task>> {
    const { maxFileBytes } = this.platform.capabilities;
    const sent = tasks
      .map((task) => ({ task, files: listFiles(task) }))
      .filter(({ files }) =>
        files.every(
          (file) => file.sizeBytes <= maxFileBytes && !isSignedOutput(file),
        ),
      );
    const [first] = sent;
    if (!first) return new Set();
    const { cell, mode } = first.task;
    const { recordId: _, ...place } = cell;
    const save = (state: WrittenFile["state"]) =>
      this.#save(sent, ({ label }) => ({ label, state, remoteId: null }));
    // To replace is idempotent, so that nothing has to be compared.
    if (mode === "append") await save("sent");
    try {
      const results = await this.platform.writeBackMany(
        place,
        sent.map(({ task, files }) => ({
          recordId: task.cell.recordId,
          files,
        })),
        mode,
        this.limits,
      );
      const byRecord = new Map(
        results.map((result) => [result.recordId, result.attachments]),
      );
      const written = sent.filter(({ task }) =>
        byRecord.has(task.cell.recordId),
      );
      await this.#save(written, (file, { task, files }) => ({
        label: file.label,
        state: "written",
        remoteId: findRemoteId(
          file,
          byRecord.get(task.cell.recordId) ?? [],
          files.indexOf(file),
        ),
      }));
      return new Set(written.map(({ task }) => task));
    } catch (error) {
      if (mode === "append" && isRefusal(error)) await save("waiting");
      throw error;
    }
  }

  async #save(
    all: readonly SentFiles<Task>[],
    toEntry: (file: OutgoingFile, sent: SentFiles<Task>) => WrittenFile,
  ): Promise<void> {
    await this.store.unitOfWork.run(async (tx) => {
      for (const sentFiles of all) {
        const entries = sentFiles.files.map((file) => toEntry(file, sentFiles));
        await saveFiles(tx, sentFiles.task.row, entries);
      }
    });
  }
}

interface SentFiles<Task> {
  task: Task;
  files: readonly OutgoingFile[];
}

/** Files that were added since the row was read, such as signed ones. Locks the row. */
export async function findAddedFiles(
  tx: EntityManager,
  { documentId, files }: Pick<WriteBack, "documentId" | "files">,
): Promise<WrittenFile[]> {
  const knownLabels = new Set(files.map(({ label }) => label));
  const current = await findForUpdate(tx, WriteBack, { documentId });
  return current?.files.filter(({ label }) => !knownLabels.has(label)) ?? [];
}

/** The attachments of a cell that the ledger knows to be other files. */
async function findClaimedIds(
  read: EntityManager,
  { cell, documentId, files }: WriteBack,
): Promise<Set<string>> {
  const others = await read.find(WriteBack, {
    where: { cell, documentId: Not(documentId) },
    select: { documentId: true, files: true },
  });
  const knownFiles = [...others.flatMap((other) => other.files), ...files];
  return new Set(knownFiles.flatMap(({ remoteId }) => remoteId ?? []));
}

/**
 * Finds the attachment for a file whose write got no answer; undefined when it did not arrive; null when the platform
 * returns too little about its attachments to know.
 */
function findAttachment(
  { filename, sizeBytes }: Pick<OutFile, "filename" | "sizeBytes">,
  attachments: readonly Attachment[],
  {
    keepsFilename,
    claimed,
  }: { keepsFilename: boolean; claimed: ReadonlySet<string> },
): Attachment | undefined | null {
  const unclaimed = attachments.filter(
    ({ remoteId }) => !claimed.has(remoteId),
  );
  const isComparable = (attachment: Attachment) =>
    keepsFilename || attachment.sizeBytes !== undefined;
  if (!unclaimed.every(isComparable)) return null;
  return unclaimed.find(
    (attachment) =>
      (!keepsFilename || attachment.filename === filename) &&
      (attachment.sizeBytes === undefined ||
        attachment.sizeBytes === sizeBytes),
  );
}

/** The id of a file among the attachments that its write returned. */
function findRemoteId(
  { filename }: Pick<OutFile, "filename">,
  returned: readonly Attachment[],
  index: number,
): string | null {
  const named = returned.findLast(
    (attachment) => attachment.filename === filename,
  );
  return (named ?? returned[index] ?? returned.at(-1))?.remoteId ?? null;
}

/** Whether the platform answered that it did not accept the file; after any other error, the file may be there. */
export function isRefusal(error: unknown): boolean {
  const refusal = findPlatformError(error);
  return refusal !== null && refusal.code !== "unavailable";
}
