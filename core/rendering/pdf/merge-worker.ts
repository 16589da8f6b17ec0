import { parentPort, workerData } from "node:worker_threads";
import { closeSync, openSync } from "node:fs";
import type { Conformance } from "../../plugin-api/index.js";
import {
  type MergedPart,
  type MergeSettings,
  PdfMerger,
} from "./merge-pdfs.js";

// The thread of one `PdfMerge`: it answers one message after the other.

export interface MergeWorkerData {
  path: string;
  settings: MergeSettings;
}

export type MergeRequest =
  { kind: "add" | "cover"; part: MergedPart } | { kind: "end" };

export type MergeAnswer =
  | {
      kind: "added";
      first: number;
      pages: number;
      /** The standards that all documents so far conform to. */
      conformance: readonly Conformance[];
    }
  | { kind: "unreadable"; reason: string }
  | { kind: "ended"; pages: number; sizeBytes: number };

const port = parentPort;
if (!port) throw new Error("this file runs as a worker thread");
// Sent by `PdfMerge`.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const { path, settings } = workerData as MergeWorkerData;
const file = openSync(path, "wx", 0o600);
const merger = new PdfMerger(file, settings);

port.on("message", (request: MergeRequest) => {
  void answer(request).then((result) => port.postMessage(result));
});

async function answer(request: MergeRequest): Promise<MergeAnswer> {
  if (request.kind === "end") {
    const ended = merger.end();
    closeSync(file);
    return { kind: "ended", ...ended };
  }
  try {
    const added =
      request.kind === "add"
        ? await merger.add(request.part)
        : { first: 0, pages: await merger.addCover(request.part) };
    return { kind: "added", ...added, conformance: merger.conformance };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: "unreadable", reason };
  }
}
