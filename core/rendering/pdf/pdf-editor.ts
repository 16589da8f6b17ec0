import { clock } from "../../lib/clock.js";
import { FairQueue } from "../../lib/fair-queue.js";
import { Thread, ThreadPool } from "../../lib/threads.js";
import {
  type Conformance,
  type Deadline,
  PlatenError,
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

/** As it arrives from the worker thread, where bytes are no longer a `Buffer`. */
export type EditedPdf = Omit<Finished, "bytes"> & {
  bytes: Uint8Array;
  /** Null when no signature was asked for. */
  unsigned: UnsignedPdf | null;
};

const MAX_WAITING = 64;
const MAX_HEAP_MB = 1024;
/** How much the process may grow by while one PDF is edited: a PDF may unpack to a thousand times its size. */
const MAX_MEMORY_BYTES = 512 * 1024 * 1024;
const MEMORY_CHECK_INTERVAL_MS = 100;

/** Edits printed PDFs one after the other in a worker thread, which the first one starts. */
@scoped(Lifecycle.ContainerScoped)
export class PdfEditor {
  readonly #pool = new ThreadPool(
    () => new Thread("./edit-pdf", import.meta.url, { heapMb: MAX_HEAP_MB }),
    new FairQueue(1, {
      what: "its PDF to be finished",
      maxWaiting: MAX_WAITING,
      busy: "Too many PDFs are waiting to be finished. Try again in a moment.",
    }),
  );

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
    const task = { printed, finishing: addSpace(finishing, signer) };
    const edited = await this.#run<EditedPdf>(task, deadline).catch(
      (cause: unknown) => {
        if (cause instanceof PlatenError) throw cause;
        throw new PlatenError(
          "render_failed",
          "The PDF was printed but could not be finished. Try again; if it fails again, remove parts of renderOptions.pdf.",
          { cause },
        );
      },
    );
    const { pages, marks, unsigned } = edited;
    const { buffer, byteOffset, byteLength } = edited.bytes;
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
  stop(): Promise<void> {
    return this.#pool.stop();
  }

  #run<T>(task: PdfTask, deadline: Deadline): Promise<T> {
    const job = { deadline, doing: "its PDF was finished" };
    return this.#pool.use(job, async (thread) => {
      const before = process.memoryUsage.rss();
      const memory = clock.watch(MEMORY_CHECK_INTERVAL_MS, () => {
        const added = process.memoryUsage.rss() - before;
        if (added > MAX_MEMORY_BYTES) void thread.end(createMemoryError());
      });
      try {
        return await thread.ask<T>(task);
      } finally {
        memory.cancel();
      }
    });
  }
}

/** The signer itself, which has the private key, stays in this thread. */
function addSpace(finishing: Finishing, signer: PdfSigner | null): Finishing {
  if (signer === null) return finishing;
  const { digestAlgorithm, maxBytes } = signer;
  return { ...finishing, signature: { digestAlgorithm, maxBytes } };
}

/** @param why completes "The PDF …" */
export function unreadablePdf(why: string, cause?: unknown): PlatenError {
  return new PlatenError(
    "invalid_request",
    `The PDF ${why}, so it cannot be opened. Send the complete file, saved without a password.`,
    { cause },
  );
}

function createMemoryError(): PlatenError {
  return new PlatenError(
    "too_large",
    "PDFs take too much memory when they are unpacked. Leave some out, or save them again with another program.",
  );
}
