import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type Deadline, PlatenError } from "../../../plugin-api/index.js";
import { withinDeadline } from "../../time-limit.js";
import type { JoinAnswer, JoinRequest } from "./join-messages.js";

/** `joinPieces` in a thread that lives as long as it takes. @throws PlatenError `timeout` or `render_failed`. */
export async function joinInThread(
  request: JoinRequest,
  deadline: Deadline,
): Promise<Buffer> {
  const worker = startWorker(request);
  try {
    const answered: Promise<JoinAnswer[]> = once(worker, "message");
    const doing = "its pieces were joined";
    const [answer] = await withinDeadline(answered, deadline, doing);
    if (!answer) throw new Error("the thread said nothing");
    const { buffer, byteOffset, length } = answer.bytes;
    return Buffer.from(buffer, byteOffset, length);
  } catch (cause) {
    if (cause instanceof PlatenError) throw cause;
    throw joinError(cause);
  } finally {
    await worker.terminate();
  }
}

/** Beside this file, with its ending: `.js` when built, `.ts` when tests run the sources. */
function startWorker(workerData: JoinRequest): Worker {
  const ending = import.meta.url.slice(-3);
  return new Worker(new URL(`./join-worker${ending}`, import.meta.url), {
    workerData,
  });
}

function joinError(cause: unknown): PlatenError {
  return new PlatenError(
    "render_failed",
    "The pieces of this long document could not be joined. Try again; if it happens again, send fewer rows.",
    { cause },
  );
}
