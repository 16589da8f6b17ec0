import { parentPort, workerData } from "node:worker_threads";
import { joinPieces } from "./join-pages.js";

// Joins the pieces of a long document, in a thread of its own so that the service goes on answering meanwhile.

const port = parentPort;
if (!port) throw new Error("this file runs as a worker thread");
const request: JoinRequest = workerData;
const bytes = await joinPieces(request);
const answer: JoinResponse = { bytes };
port.postMessage(
  answer,
  bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [],
);

/** To the thread that joins PDFs. */
export interface JoinRequest {
  /** In the order in which they follow each other; pages from number `start`, the first is 0, to before `end`. */
  pieces: { bytes: Uint8Array; start: number; end: number }[];
  /** As many pages as the pieces have together, to be laid under them. */
  under?: Uint8Array;
  /** The same, to be laid over them. */
  over?: Uint8Array;
  /** Named destinations that begin like this are left out. */
  dropNames?: string;
}

/** From the thread, which ends with it. */
export interface JoinResponse {
  bytes: Uint8Array;
}
