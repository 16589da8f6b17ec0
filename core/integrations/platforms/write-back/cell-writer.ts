import { isSignedOutput, PlatenError } from "../../../plugin-api/index.js";
import { type OpenPlatform, platformErrorOf } from "../../host/index.js";
import {
  type Store,
  WriteBack,
  type WrittenFile,
} from "../../../storage/database/index.js";
import { addedFiles } from "./added-files.js";
import { claimedIds } from "./claimed-ids.js";
import { findWritten, remoteIdOf } from "./ledger.js";
import type { OutgoingFile } from "./outgoing-files.js";
import type { WriteBackTask } from "./task.js";

/**
 * Writes a document's files into a cell so that each is there once, however often it is tried. Whoever calls sees to
 * it that nobody else of us writes to the cell meanwhile.
 */
export class CellWriter {
  constructor(
    private readonly store: Pick<Store, "read" | "unitOfWork">,
    private readonly platform: OpenPlatform,
    private readonly task: WriteBackTask,
    private readonly signal: AbortSignal,
  ) {}

  async write(files: readonly OutgoingFile[]): Promise<void> {
    const { mode } = this.task.order;
    const own = files.filter((file) => !isSignedOutput(file));
    if (mode === "replace") await this.#replace(own);
    else for (const file of own) await this.#append(file);
    // They come days later: the document's own files stay beside them.
    for (const file of files.filter(isSignedOutput)) await this.#append(file);
  }

  /** All files at once; the same again leads to the same, so that nothing has to be compared. */
  async #replace(files: readonly OutgoingFile[]): Promise<void> {
    if (files.every(({ label }) => this.#entry(label).state === "written"))
      return;
    const told = await this.platform.writeBack(
      this.task.cell,
      files,
      "replace",
      { signal: this.signal },
    );
    const written = files.map((file, index) => ({
      label: file.label,
      state: "written" as const,
      remoteId: remoteIdOf(file, told, index),
    }));
    await this.#note(...written);
  }

  async #append(file: OutgoingFile): Promise<void> {
    const { label } = file;
    const { state } = this.#entry(label);
    if (state === "written") return;
    if (state === "sent" && (await this.#isThere(file))) return;
    await this.#note({ label, state: "sent", remoteId: null });
    try {
      const told = await this.platform.writeBack(
        this.task.cell,
        [file],
        "append",
        { signal: this.signal },
      );
      const remoteId = remoteIdOf(file, told, 0);
      await this.#note({ label, state: "written", remoteId });
    } catch (error) {
      if (isRefusal(error))
        await this.#note({ label, state: "waiting", remoteId: null });
      throw error;
    }
  }

  /** Whether a file arrived whose write ended without an answer. */
  async #isThere(file: OutgoingFile): Promise<boolean> {
    const { label } = file;
    const { capabilities } = this.platform;
    const attachments = capabilities.readBack
      ? await this.platform.readAttachments(this.task.cell, {
          signal: this.signal,
        })
      : null;
    const found = attachments
      ? findWritten(file, attachments, {
          keepsFilename: capabilities.keepsFilename,
          claimed: await claimedIds(this.store.read, this.task.row),
        })
      : null;
    if (found === null) {
      // For people, who can look, to decide: their next try writes it.
      await this.#note({ label, state: "waiting", remoteId: null });
      throw unknownOutcome(this.platform.title, file);
    }
    if (found === undefined) return false;
    const { remoteId } = found;
    await this.#note({ label, state: "written", remoteId });
    return true;
  }

  #entry(label: string): WrittenFile {
    const found = this.task.row.files.find((one) => one.label === label);
    return found ?? { label, state: "waiting", remoteId: null };
  }

  /** Before and after each write, so that a crash between them is seen. */
  async #note(...entries: readonly WrittenFile[]): Promise<void> {
    const { row } = this.task;
    const labels = new Set(entries.map(({ label }) => label));
    const others = row.files.filter(({ label }) => !labels.has(label));
    row.files = [...others, ...entries];
    const { documentId, files } = row;
    await this.store.unitOfWork.run(async (tx) => {
      const added = await addedFiles(tx, row);
      await tx.update(
        WriteBack,
        { documentId },
        { files: [...files, ...added], updatedAt: new Date() },
      );
    });
  }
}

/** The platform has answered that it did not take it; after anything else, the file may be there. */
function isRefusal(error: unknown): boolean {
  const refusal = platformErrorOf(error);
  return refusal !== null && refusal.code !== "unavailable";
}

function unknownOutcome(
  title: string,
  { filename }: OutgoingFile,
): PlatenError {
  return new PlatenError(
    "conflict",
    `${title} gave no answer when "${filename}" was written, and cannot tell whether it arrived. ` +
      "Look into the record; if the file is not there, try the write-back again.",
  );
}
