import type { Piscina } from "piscina";
import { clock, type Timer } from "../../lib/clock.js";
import {
  type Conformance,
  type Deadline,
  PlatenError,
  type ErrorCode,
  type Problem,
} from "../../plugin-api/index.js";
import { Lifecycle, scoped } from "../../lib/injection.js";
import {
  type PdfSigner,
  type SignatureSpace,
  toContents,
  type UnsignedPdf,
} from "./pdf-signature.js";
import type { XmpSchema } from "./xmp.js";

/** The edits to make to a printed PDF. */
export interface Finishing {
  /** Whether the PDF was printed with tags: its structure tree is completed. */
  isTagged?: boolean;
  /** Of the printed text, BCP 47. */
  language?: string;
  properties?: PdfProperties;
  /** PDFs whose pages come first, in this order. */
  before: readonly JoinedPdf[];
  /** PDFs whose pages come last. */
  after: readonly JoinedPdf[];
  attachments: readonly PdfAttachment[];
  password?: PdfPassword;
  /** Prefix of the URLs of links that mark sign fields: these links are removed. */
  signLinks?: string;
  /** Standards that the PDF has to conform to. Those that require tags need a PDF that was printed with them. */
  conformance?: readonly Conformance[];
  /** Properties for the metadata of a conforming PDF, beyond those that every document has. */
  metadata?: readonly XmpSchema[];
  /** Adds space for a signature, which `PdfEditor` fills. Not together with a password. */
  signature?: SignatureSpace;
}

export interface Finished {
  bytes: Buffer;
  /** Of the whole document, joined PDFs included. */
  pages: number;
  /** Where the removed links of sign fields were. */
  marks: readonly SignMark[];
}

/** What a reader shows as the document's properties. */
export interface PdfProperties {
  title?: string;
  author?: string;
  subject?: string;
  keywords?: readonly string[];
}

export interface JoinedPdf {
  /** JSON path of the file in the request or the definition, for errors: `$.renderOptions.pdf.after[0]`. */
  path: string;
  bytes: Uint8Array;
}

/** How an attached file relates to the document (ISO 32000-2, AFRelationship). */
export type Relationship =
  "Source" | "Data" | "Alternative" | "Supplement" | "Unspecified";

export interface PdfAttachment {
  /** JSON path of the file, as for joined PDFs. */
  path: string;
  /** Whether it has to be checked that the file, which is sent as a PDF, can be opened. */
  isUncheckedPdf: boolean;
  name: string;
  mimeType: string;
  description?: string;
  relationship: Relationship;
  /** By default, now. */
  modifiedAt?: Date;
  bytes: Uint8Array;
}

/** What a reader allows somebody who opened the document with the user password. */
export const PERMISSIONS = [
  "print",
  "modify",
  "copy",
  "annotate",
  "fillForms",
  "assemble",
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** At least one of the passwords; AES with 256 bits. */
export interface PdfPassword {
  /** Opens the document; without it, anybody can. */
  user?: string;
  /** Opens the document without restrictions; without it, they cannot be lifted. */
  owner?: string;
  /** All of them by default. */
  permissions?: readonly Permission[];
}

/** The position of a field's link: its page, from 1, and fractions of the page's size from the top left corner. */
export interface SignMark extends Place {
  /** The part of the URL after the common prefix. */
  id: string;
  page: number;
}

/** Fractions of a page's width and height, from its top left corner as a reader shows it. */
export interface Place {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** To the worker thread: a PDF to edit, or one to open and nothing else. */
export type PdfTask =
  { printed: Uint8Array; finishing: Finishing } | { unchecked: Uint8Array };

/** An error loses its class between threads, so a rejection is sent as its parts. */
export type PdfTaskResult =
  | EditedPdf
  | { isReadable: true }
  | { code: ErrorCode; message: string; problems: readonly Problem[] };

/** As it arrives from the worker thread, where bytes are no longer a `Buffer`. */
export type EditedPdf = Omit<Finished, "bytes"> & {
  bytes: Uint8Array;
  /** Null when no signature was asked for. */
  unsigned: UnsignedPdf | null;
};

type EditPool = Piscina<PdfTask, PdfTaskResult>;

/** The thread ends after this long without work. */
const IDLE_MS = 60_000;
const MAX_WAITING = 64;
const MAX_MEMORY_BYTES = 512 * 1024 * 1024;
const MEMORY_CHECK_INTERVAL_MS = 100;

/** Edits printed PDFs one after the other in a worker thread, which the first one starts. */
@scoped(Lifecycle.ContainerScoped)
export class PdfEditor {
  readonly #memory = new MemoryGuard(MAX_MEMORY_BYTES);
  #pool: Promise<EditPool> | null = null;
  #running = 0;
  #idleTimer: Timer | undefined;

  /**
   * @param signer signs the edited PDF; null leaves it unsigned
   * @throws PlatenError `invalid_request` for a PDF that cannot be joined, `too_large`, `busy`, `timeout`, `render_failed`,
   * or that of the signer
   */
  async finish(
    printed: Buffer,
    finishing: Omit<Finishing, "signature">,
    deadline: Deadline,
    signer: PdfSigner | null = null,
  ): Promise<Finished> {
    deadline.check("its PDF waited to be finished");
    const task = { printed, finishing: addSpace(finishing, signer) };
    const result = await this.#run(task, deadline).catch((cause: unknown) => {
      deadline.check("its PDF was finished");
      if (cause instanceof PlatenError) throw cause;
      throw new PlatenError(
        "render_failed",
        "The PDF was printed but could not be finished. Try again; if it fails again, remove parts of renderOptions.pdf.",
        { cause },
      );
    });
    if (!("bytes" in result)) throw new Error("The thread returned no PDF.");
    const { pages, marks, unsigned } = result;
    const { buffer, byteOffset, byteLength } = result.bytes;
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    if (signer && unsigned) {
      const signature = await signer.sign(unsigned.digest, deadline);
      toContents(signature, signer).copy(bytes, unsigned.contentsAt);
    }
    return { bytes, pages, marks };
  }

  /** Opens a PDF. @throws PlatenError `invalid_request` for one that no program can read, `too_large`, `busy` or `timeout`. */
  async check(unchecked: Uint8Array, deadline: Deadline): Promise<void> {
    await this.#run({ unchecked }, deadline).catch((cause: unknown) => {
      if (deadline.signal.aborted)
        throw new PlatenError(
          "timeout",
          "The PDF could not be opened in time. Try again; if it fails again, save it with another program.",
          { cause },
        );
      if (cause instanceof PlatenError) throw cause;
      // The thread ended, for lack of memory.
      throw unreadablePdf("is damaged", cause);
    });
  }

  /** Ends the thread; the PDF it is working on fails. */
  async stop(): Promise<void> {
    this.#idleTimer?.cancel();
    const pool = this.#pool;
    this.#pool = null;
    await (await pool)?.destroy();
  }

  async #run(task: PdfTask, { signal }: Deadline): Promise<PdfResult> {
    this.#idleTimer?.cancel();
    const pool = await (this.#pool ??= createEditPool());
    if (pool.queueSize >= MAX_WAITING)
      throw new PlatenError(
        "busy",
        "Too many PDFs are waiting to be finished. Try again in a moment.",
        { retryAfterSeconds: 5 },
      );
    this.#running += 1;
    try {
      const result = await this.#memory.run(signal, (either) =>
        pool.run(task, { signal: either }),
      );
      if ("code" in result)
        throw new PlatenError(result.code, result.message, result);
      return result;
    } finally {
      this.#running -= 1;
      this.#idleTimer?.cancel();
      if (this.#running === 0)
        this.#idleTimer = clock.limit(IDLE_MS, () => void this.stop()).unref();
    }
  }
}

/** The signer itself, which has the private key, stays in this thread. */
function addSpace(finishing: Finishing, signer: PdfSigner | null): Finishing {
  if (signer === null) return finishing;
  const { digestAlgorithm, maxBytes } = signer;
  return { ...finishing, signature: { digestAlgorithm, maxBytes } };
}

type PdfResult = Exclude<PdfTaskResult, { code: ErrorCode }>;

/** @param why completes "The PDF …" */
export function unreadablePdf(why: string, cause?: unknown): PlatenError {
  return new PlatenError(
    "invalid_request",
    `The PDF ${why}, so it cannot be opened. Send the complete file, saved without a password.`,
    { cause },
  );
}

/** Piscina is loaded by the first document that needs it, since few do. */
async function createEditPool(): Promise<EditPool> {
  const { Piscina: Pool } = await import("piscina");
  // The worker's file has this file's extension: `.js` when built, `.ts` when tests run the sources.
  const extension = import.meta.url.slice(-3);
  return new Pool<PdfTask, PdfTaskResult>({
    filename: new URL(`./edit-pdf${extension}`, import.meta.url).href,
    name: "runInThread",
    // With a minimum of 0, waiting tasks would be left without a thread when one is ended.
    minThreads: 1,
    maxThreads: 1,
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
}

/**
 * Watches the memory of the process while PDFs are edited: a PDF may unpack to a thousand times its size. PDFs are
 * edited one after the other, so the oldest job is the one in progress.
 */
class MemoryGuard {
  readonly #jobs = new Set<AbortController>();
  #timer: Timer | undefined;
  #oldest: AbortController | undefined;
  #bytesBefore = 0;

  /** @param maxBytes that the process may grow by while one PDF is edited */
  constructor(private readonly maxBytes: number) {}

  /** Runs a job whose signal aborts with `signal`, or with an error `too_large` when the job takes too much memory. */
  async run<T>(
    signal: AbortSignal,
    job: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const controller = new AbortController();
    this.#jobs.add(controller);
    this.#timer ??= clock
      .watch(MEMORY_CHECK_INTERVAL_MS, () => this.#check())
      .unref();
    const either = AbortSignal.any([signal, controller.signal]);
    try {
      return await job(either);
    } catch (error) {
      throw either.reason instanceof PlatenError ? either.reason : error;
    } finally {
      this.#jobs.delete(controller);
      if (this.#jobs.size === 0) {
        this.#timer?.cancel();
        this.#timer = undefined;
        this.#oldest = undefined;
      }
    }
  }

  #check(): void {
    const [oldest] = this.#jobs;
    const bytes = process.memoryUsage.rss();
    if (oldest !== this.#oldest) {
      this.#oldest = oldest;
      this.#bytesBefore = bytes;
    }
    if (bytes - this.#bytesBefore > this.maxBytes)
      oldest?.abort(
        new PlatenError(
          "too_large",
          "PDFs take too much memory when they are unpacked. Leave some out, or save them again with another program.",
        ),
      );
  }
}
