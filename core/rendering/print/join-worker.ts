import { parentPort, workerData } from "node:worker_threads";
import { joinPieces } from "./join-pages.js";

// Joins the pieces of a long document in a worker thread, so that the service keeps responding.

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
  /** In document order; pages from index `start` to before `end`. */
  pieces: { bytes: Uint8Array; start: number; end: number }[];
  /** A PDF with the same number of pages, to be laid under them. */
  under?: Uint8Array;
  /** The same, to be laid over them. */
  over?: Uint8Array;
  /** Named destinations with this prefix are removed. */
  dropNames?: string;
}

/** The thread ends after sending it. */
export interface JoinResponse {
  bytes: Uint8Array;
}
