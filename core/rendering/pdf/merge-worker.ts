import { workerData } from "node:worker_threads";
import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { answerRequests } from "../../lib/threads.js";
import type { Conformance } from "../../plugin-api/index.js";
import {
  type MergedPart,
  type MergeSettings,
  PdfMerger,
} from "./merge-pdfs.js";
import type { SignatureSpace, UnsignedPdf } from "./pdf-signature.js";

// The thread of one `PdfMerge`: it answers one message after the other.

export interface MergeWorkerData {
  path: string;
  settings: MergeSettings;
}

export type MergeRequest =
  | { kind: "add" | "cover"; part: MergedPart }
  | { kind: "end"; space: SignatureSpace | null };

export type MergeAnswer =
  | {
      kind: "added";
      first: number;
      pages: number;
      /** The standards that all documents so far conform to. */
      conformance: readonly Conformance[];
      /** Whether the documents are signed, so that the file has to be. */
      isSigned: boolean;
    }
  | { kind: "unreadable"; reason: string }
  | {
      kind: "ended";
      pages: number;
      sizeBytes: number;
      unsigned: UnsignedPdf | null;
    };

// Sent by `PdfMerge`.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const { path, settings } = workerData as MergeWorkerData;
const file = openSync(path, "wx+", 0o600);
const merger = new PdfMerger(file, settings);

answerRequests(async (request: MergeRequest): Promise<MergeAnswer> => {
  if (request.kind === "end") {
    const { signature, ...ended } = merger.end(request.space);
    const unsigned =
      signature &&
      signature.value.complete(
        signature.at,
        ended.sizeBytes,
        readFile,
        (at, bytes) => writeSync(file, bytes, 0, bytes.length, at),
      );
    closeSync(file);
    return { kind: "ended", ...ended, unsigned };
  }
  try {
    const added =
      request.kind === "add"
        ? await merger.add(request.part)
        : { first: 0, pages: await merger.addCover(request.part) };
    const { conformance, isSigned } = merger;
    return { kind: "added", ...added, conformance, isSigned };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: "unreadable", reason };
  }
});

/** Part by part, since the file may be larger than the memory. */
function* readFile(start: number, end: number): Iterable<Uint8Array> {
  const part = Buffer.alloc(1024 * 1024);
  for (let at = start; at < end;) {
    const length = readSync(file, part, 0, Math.min(part.length, end - at), at);
    if (length === 0) throw new Error("the file ends early");
    yield part.subarray(0, length);
    at += length;
  }
}
