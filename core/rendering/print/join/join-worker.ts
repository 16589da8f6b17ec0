// Joins the pieces of a long document, in a thread of its own so that the service goes on answering meanwhile.
import { parentPort, workerData } from "node:worker_threads";
import type { JoinAnswer, JoinRequest } from "./join-messages.js";
import { joinPieces } from "./join-pieces.js";

const port = parentPort;
if (!port) throw new Error("this file runs as a worker thread");
const request: JoinRequest = workerData;
const bytes = await joinPieces(request);
const answer: JoinAnswer = { bytes };
port.postMessage(
  answer,
  bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [],
);
