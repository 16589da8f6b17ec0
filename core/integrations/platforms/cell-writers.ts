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

interface SentFiles<Target extends CellTarget> {
  target: Target;
  files: readonly OutgoingFile[];
}

/**
 * Writes the files of documents into cells of one field so that each is there once, however often it is tried. The caller
 * ensures that no other job writes to the cells at the same time.
 */
export class CellWriter {
  constructor(
    private readonly store: Pick<Store, "read" | "unitOfWork">,
    private readonly platform: ConnectedPlatform,
    /** Of each call. */
    private readonly limits: CallLimits,
  ) {}

  async write(
    target: CellTarget,
    files: readonly OutgoingFile[],
  ): Promise<void> {
    const ownFiles = files.filter((file) => !isSignedOutput(file));
    if (target.mode === "append")
      for (const file of ownFiles) await this.#append(target, file);
    else if (ownFiles.some(({ label }) => !isWritten(target, label)))
      await this.#send([{ target, files: ownFiles }], "replace");
    // Signed files come days later and must not replace the document's own files.
    for (const file of files.filter(isSignedOutput))
      await this.#append(target, file);
  }

  /**
   * Writes files of which nothing was sent yet, in few requests. A file that the platform does not say to be written
   * stays noted as `sent`, so that `write` looks into its cell first.
   * @returns the targets whose files are written. Those with a file that is too large are left out.
   */
  async writeMany<Target extends CellTarget>(
    targets: readonly Target[],
    listFiles: (target: Target) => OutgoingFile[],
  ): Promise<Set<Target>> {
    const { maxFileBytes } = this.platform.capabilities;
    const writes = targets
      .map((target) => ({ target, files: listFiles(target) }))
      .filter(({ files }) =>
        files.every(
          (file) => file.sizeBytes <= maxFileBytes && !isSignedOutput(file),
        ),
      );
    const [first] = writes;
    if (!first) return new Set();
    const written = await this.#send(writes, first.target.mode);
    return new Set(written.map(({ target }) => target));
  }

  async #append(target: CellTarget, file: OutgoingFile): Promise<void> {
    const { label } = file;
    if (isWritten(target, label)) return;
    const isSent = findFile(target, label)?.state === "sent";
    if (isSent && (await this.#hasArrived(target, file))) return;
    await this.#send([{ target, files: [file] }], "append");
  }

  /** @returns what the platform says to be written: all of a single document. */
  async #send<Target extends CellTarget>(
    writes: readonly SentFiles<Target>[],
    mode: CellTarget["mode"],
  ): Promise<readonly SentFiles<Target>[]> {
    const save = (state: WrittenFile["state"]) =>
      this.#save(writes, ({ label }) => ({ label, state, remoteId: null }));
    // To replace is idempotent, so that nothing has to be compared.
    if (mode === "append") await save("sent");
    try {
      const attachments = await this.#call(writes, mode);
      const written = writes.filter(({ target }) =>
        attachments.has(target.cell.recordId),
      );
      await this.#save(written, (file, { target, files }) => ({
        label: file.label,
        state: "written",
        remoteId: findRemoteId(
          file,
          attachments.get(target.cell.recordId) ?? [],
          files.indexOf(file),
        ),
      }));
      return written;
    } catch (error) {
      if (mode === "append" && isRefusal(error)) await save("waiting");
      throw error;
    }
  }

  /** @returns the attachments of the cells that are written, by the record. */
  async #call(
    writes: readonly SentFiles<CellTarget>[],
    mode: CellTarget["mode"],
  ): Promise<Map<string, readonly Attachment[]>> {
    const { platform, limits } = this;
    const [first, ...others] = writes;
    if (!first) return new Map();
    const { cell } = first.target;
    const { recordId, ...place } = cell;
    if (others.length === 0) {
      const { files } = first;
      const attachments = await platform.writeBack(cell, files, mode, limits);
      return new Map([[recordId, attachments]]);
    }
    const records = writes.map(({ target, files }) => {
      return { recordId: target.cell.recordId, files };
    });
    const results = await platform.writeBackMany(place, records, mode, limits);
    return new Map(
      results.map((result) => [result.recordId, result.attachments]),
    );
  }

  /** Whether a file arrived although its write got no answer. @throws PlatenError `conflict` when this cannot be known. */
  async #hasArrived(target: CellTarget, file: OutgoingFile): Promise<boolean> {
    const save = (state: WrittenFile["state"], remoteId: string | null) =>
      this.#save([{ target, files: [file] }], ({ label }) => {
        return { label, state, remoteId };
      });
    const { readBack, keepsFilename } = this.platform.capabilities;
    const attachments = readBack
      ? await this.platform.readAttachments(target.cell, this.limits)
      : null;
    const attachment = attachments
      ? findAttachment(file, attachments, {
          keepsFilename,
          claimed: await findClaimedIds(this.store.read, target.row),
        })
      : null;
    if (attachment === null) {
      // A person must look into the record; when they retry, the file is written.
      await save("waiting", null);
      throw new PlatenError(
        "conflict",
        `${this.platform.title} did not answer when "${file.filename}" was written, and cannot tell whether it arrived. ` +
          "Check the record; if the file is missing, retry the write-back.",
      );
    }
    if (attachment === undefined) return false;
    await save("written", attachment.remoteId);
    return true;
  }

  /** Notes in the ledger what was written. Called before and after each write, so that a crash between them is noticed. */
  async #save<Target extends CellTarget>(
    writes: readonly SentFiles<Target>[],
    toEntry: (file: OutgoingFile, write: SentFiles<Target>) => WrittenFile,
  ): Promise<void> {
    await this.store.unitOfWork.run(async (tx) => {
      for (const write of writes) {
        const { row } = write.target;
        const entries = write.files.map((file) => toEntry(file, write));
        const labels = new Set(entries.map(({ label }) => label));
        const others = row.files.filter(({ label }) => !labels.has(label));
        row.files = [...others, ...entries];
        const { documentId } = row;
        const added = await findAddedFiles(tx, row);
        await tx.update(
          WriteBack,
          { documentId },
          { files: [...row.files, ...added], updatedAt: clock.date() },
        );
      }
    });
  }
}

function findFile({ row }: CellTarget, label: string): WrittenFile | undefined {
  return row.files.find((file) => file.label === label);
}

function isWritten(target: CellTarget, label: string): boolean {
  return findFile(target, label)?.state === "written";
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
