import { type EntityManager, Not } from "typeorm";
import {
  type Attachment,
  isSignedOutput,
  type OutFile,
  PlatenError,
} from "../../../plugin-api/index.js";
import {
  findForUpdate,
  type RecordBatch,
  type Store,
  WriteBack,
  type WrittenFile,
} from "../../../storage/database/index.js";
import {
  type CellScope,
  type ConnectedPlatform,
  findPlatformError,
} from "../../host/index.js";

/** A document's file that is written to a platform. */
export interface OutgoingFile extends OutFile {
  label: string;
}

/** The cell that a document's files are written to. */
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
    private readonly signal: AbortSignal,
  ) {}

  async write(files: readonly OutgoingFile[]): Promise<void> {
    const own = files.filter((file) => !isSignedOutput(file));
    if (this.target.mode === "replace") await this.#replace(own);
    else for (const file of own) await this.#append(file);
    // Signed files come days later and must not replace the document's own files.
    for (const file of files.filter(isSignedOutput)) await this.#append(file);
  }

  /** Writes all files at once. This is idempotent, so that nothing has to be compared. */
  async #replace(files: readonly OutgoingFile[]): Promise<void> {
    if (files.every(({ label }) => this.#find(label).state === "written"))
      return;
    const { cell } = this.target;
    const { signal } = this;
    const attachments = await this.platform.writeBack(cell, files, "replace", {
      signal,
    });
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
    const { signal } = this;
    try {
      const attachments = await this.platform.writeBack(
        cell,
        [file],
        "append",
        { signal },
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
    const { signal } = this;
    const { readBack, keepsFilename } = this.platform.capabilities;
    const attachments = readBack
      ? await this.platform.readAttachments(this.target.cell, { signal })
      : null;
    const found = attachments
      ? findAttachment(file, attachments, {
          keepsFilename,
          claimed: await findClaimedIds(this.store.read, this.target.row),
        })
      : null;
    if (found === null) {
      // A person must look into the record; when they retry, the file is written.
      await this.#save({ label, state: "waiting", remoteId: null });
      throw new PlatenError(
        "conflict",
        `${this.platform.title} did not answer when "${file.filename}" was written, and cannot tell whether it arrived. ` +
          "Check the record; if the file is missing, retry the write-back.",
      );
    }
    if (found === undefined) return false;
    const { remoteId } = found;
    await this.#save({ label, state: "written", remoteId });
    return true;
  }

  #find(label: string): WrittenFile {
    const found = this.target.row.files.find((one) => one.label === label);
    return found ?? { label, state: "waiting", remoteId: null };
  }

  /** Called before and after each write, so that a crash between the two is noticed. */
  async #save(...entries: readonly WrittenFile[]): Promise<void> {
    const { row } = this.target;
    const labels = new Set(entries.map(({ label }) => label));
    const others = row.files.filter(({ label }) => !labels.has(label));
    row.files = [...others, ...entries];
    const { documentId, files } = row;
    await this.store.unitOfWork.run(async (tx) => {
      const added = await findAddedFiles(tx, row);
      await tx.update(
        WriteBack,
        { documentId },
        { files: [...files, ...added], updatedAt: new Date() },
      );
    });
  }
}

/** Files that were added since the row was read, such as signed ones. Locks the row. */
export async function findAddedFiles(
  tx: EntityManager,
  { documentId, files }: Pick<WriteBack, "documentId" | "files">,
): Promise<WrittenFile[]> {
  const known = new Set(files.map(({ label }) => label));
  const current = await findForUpdate(tx, WriteBack, { documentId });
  return current?.files.filter(({ label }) => !known.has(label)) ?? [];
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
  const known = [...others.flatMap((one) => one.files), ...files];
  return new Set(known.flatMap(({ remoteId }) => remoteId ?? []));
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
  const isComparable = (one: Attachment) =>
    keepsFilename || one.sizeBytes !== undefined;
  if (!unclaimed.every(isComparable)) return null;
  return unclaimed.find(
    (one) =>
      (!keepsFilename || one.filename === filename) &&
      (one.sizeBytes === undefined || one.sizeBytes === sizeBytes),
  );
}

/** The id of a file among the attachments that its write returned. */
function findRemoteId(
  { filename }: Pick<OutFile, "filename">,
  returned: readonly Attachment[],
  index: number,
): string | null {
  const named = returned.findLast((one) => one.filename === filename);
  return (named ?? returned[index] ?? returned.at(-1))?.remoteId ?? null;
}

/** Whether the platform answered that it did not accept the file; after any other error, the file may be there. */
function isRefusal(error: unknown): boolean {
  const refusal = findPlatformError(error);
  return refusal !== null && refusal.code !== "unavailable";
}
