import { open } from "node:fs/promises";
import { raceWithAbort } from "../../lib/race-with-abort.js";
import { Thread } from "../../lib/threads.js";
import {
  type Conformance,
  type Deadline,
  PlatenError,
} from "../../plugin-api/index.js";
import type { MergedPart, MergeSettings } from "./merge-pdfs.js";
import type {
  MergeAnswer,
  MergeRequest,
  MergeWorkerData,
} from "./merge-worker.js";
import { type PdfSigner, toContents } from "./pdf-signature.js";

/** Of one document that is read, which may be large. */
const MAX_HEAP_MB = 2048;

/** Writes one PDF of many in a thread of its own. Call one method after the other, and `stop` in the end. */
export class PdfMerge {
  readonly #thread: Thread;
  #conformance: readonly Conformance[] = [];
  #isSigned = false;

  /** @param path of the new file @param signal stops the thread: the call in progress rejects */
  constructor(
    private readonly path: string,
    settings: MergeSettings,
    private readonly signal: AbortSignal,
  ) {
    const data: MergeWorkerData = { path, settings };
    const options = { data, heapMb: MAX_HEAP_MB };
    this.#thread = new Thread("./merge-worker", import.meta.url, options);
  }

  /** Appends a document. @returns its first page, from 0, and how many it has; null for a PDF that cannot be read */
  async add(
    part: MergedPart,
  ): Promise<{ first: number; pages: number } | null> {
    const answer = await this.#ask({ kind: "add", part });
    if (answer.kind !== "added") return null;
    this.#conformance = answer.conformance;
    this.#isSigned = answer.isSigned;
    return answer;
  }

  /** The standards that all documents so far conform to; the file does if its cover does, too. */
  get conformance(): readonly Conformance[] {
    return this.#conformance;
  }

  /** Whether the documents are signed: then `end` needs a signer, since their signatures are not valid in the file. */
  get isSigned(): boolean {
    return this.#isSigned;
  }

  /** Puts a document before all others; the last before `end`. @throws PlatenError `render_failed` */
  async addCover(part: MergedPart): Promise<void> {
    const answer = await this.#ask({ kind: "cover", part });
    if (answer.kind !== "added")
      throw new PlatenError(
        "render_failed",
        "The cover is not a readable PDF.",
      );
  }

  /** @throws PlatenError that of the signer */
  async end(
    signing: { signer: PdfSigner; deadline: Deadline } | null = null,
  ): Promise<{ pages: number; sizeBytes: number }> {
    const space = signing && {
      digestAlgorithm: signing.signer.digestAlgorithm,
      maxBytes: signing.signer.maxBytes,
    };
    const answer = await this.#ask({ kind: "end", space });
    if (answer.kind !== "ended") throw new Error("the thread did not end");
    const { pages, sizeBytes, unsigned } = answer;
    if (signing && unsigned) {
      const { signer, deadline } = signing;
      const signature = await signer.sign(unsigned.digest, deadline);
      const contents = toContents(signature, signer);
      const file = await open(this.path, "r+");
      try {
        await file.write(contents, 0, contents.length, unsigned.contentsAt);
      } finally {
        await file.close();
      }
    }
    return { pages, sizeBytes };
  }

  stop(): Promise<void> {
    return this.#thread.end();
  }

  #ask(request: MergeRequest): Promise<MergeAnswer> {
    return raceWithAbort(
      () => this.#thread.ask<MergeAnswer>(request),
      this.signal,
      () => this.signal.reason,
    );
  }
}
