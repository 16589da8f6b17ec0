import { request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

// Requests the URL in `workerData` again and again until it receives a message, and replies with the slowest time in ms. It
// is a thread of its own, since the thread that sends an attack is busy with large bodies itself.

const PROBE_EVERY_MS = 20;

const end = new AbortController();
parentPort.once("message", () => end.abort());

let worst = 0;
while (!end.signal.aborted) {
  const started = performance.now();
  await probe();
  worst = Math.max(worst, performance.now() - started);
  await wait(PROBE_EVERY_MS);
}
parentPort.postMessage(worst, []);

function probe() {
  return new Promise((resolve) => {
    request(workerData, (response) => {
      response.resume().once("close", resolve);
    })
      .once("error", resolve)
      .end();
  });
}
