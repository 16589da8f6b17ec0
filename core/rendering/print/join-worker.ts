import { parentPort, workerData } from "node:worker_threads";
import { joinPieces } from "./join-pages.js";

// Joins the pieces of a long document in a worker thread, so that the service keeps responding. It ends after its answer.

const port = parentPort;
if (!port) throw new Error("this file runs as a worker thread");
const bytes = await joinPieces(workerData);
port.postMessage(
  bytes,
  bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [],
);
