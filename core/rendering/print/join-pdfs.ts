import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type Deadline, PlatenError } from "../../plugin-api/index.js";
import { withinDeadline } from "../time-limit.js";
import type { JoinResponse, JoinRequest } from "./join-worker.js";
import { countPages } from "./pdf-facts.js";

/** Runs `joinPieces` in a worker thread. @throws PlatenError `timeout` or `render_failed`. */
export async function joinInThread(
  request: JoinRequest,
  deadline: Deadline,
): Promise<Buffer> {
  const worker = startWorker(request);
  try {
    const answered: Promise<JoinResponse[]> = once(worker, "message");
    const doing = "its pieces were joined";
    const [answer] = await withinDeadline(answered, deadline, doing);
    if (!answer) throw new Error("the thread sent no result");
    const { buffer, byteOffset, length } = answer.bytes;
    return Buffer.from(buffer, byteOffset, length);
  } catch (cause) {
    if (cause instanceof PlatenError) throw cause;
    throw createJoinError(cause);
  } finally {
    await worker.terminate();
  }
}

/** The worker's file has this file's extension: `.js` when built, `.ts` when tests run the sources. */
function startWorker(workerData: JoinRequest): Worker {
  const ending = import.meta.url.slice(-3);
  return new Worker(new URL(`./join-worker${ending}`, import.meta.url), {
    workerData,
  });
}

function createJoinError(cause: unknown): PlatenError {
  return new PlatenError(
    "render_failed",
    "The pieces of this long document could not be joined. Try again; if it happens again, send fewer rows.",
    { cause },
  );
}

/** More pages take long enough to delay other requests. */
const MAX_PAGES_INLINE = 20;

/**
 * Overlays each page of `strips` on the same page of the body. Both are written by Chromium or joined from its PDFs.
 * @throws PlatenError `render_failed` when the page counts differ, since page numbers would be wrong.
 */
export async function overlayStrips(
  { bytes, pages }: { bytes: Buffer; pages: number },
  strips: Buffer,
  deadline: Deadline,
): Promise<Buffer> {
  const layers = countPages(strips);
  if (layers !== pages)
    throw new PlatenError(
      "render_failed",
      `The headers and footers take ${layers} pages for a document of ${pages}: ` +
        "one of them is higher than its margin. Reduce its height, or increase the margin.",
    );
  const pieces = [{ bytes, start: 0, end: pages }];
  const request = { pieces, over: strips };
  if (pages > MAX_PAGES_INLINE) return joinInThread(request, deadline);
  // Loaded by the first document that needs it, since it loads slowly.
  const { joinPieces } = await import("./join-pages.js");
  return Buffer.from(await joinPieces(request));
}
