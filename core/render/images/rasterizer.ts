import { Worker } from "node:worker_threads";
import { PlatenError, type Deadline } from "../../contract/index.js";
import { JobQueue } from "../job-queue.js";
import { withinDeadline } from "../time-limit.js";
import type {
  RasterAnswer,
  RasterPage,
  RasterRequest,
} from "./raster-messages.js";

/** The thread's memory never shrinks, so it ends when nobody has needed it for a while. */
const IDLE_MS = 60_000;

/** Draws pages of PDFs in one thread, started by the first job; one job after the other. */
export class Rasterizer {
  readonly #queue: JobQueue;
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;

  constructor(limit: number) {
    this.#queue = new JobQueue(1, limit);
  }

  /**
   * Hands each page to `take` as soon as it is drawn.
   * @throws PlatenError `render_failed`, `busy` or `timeout`; a job past its deadline is ended with its thread.
   */
  draw(
    request: RasterRequest,
    deadline: Deadline,
    take: (page: RasterPage) => void,
  ): Promise<void> {
    return this.#queue.run(deadline, async () => {
      clearTimeout(this.#idle);
      const job = this.#run(request, take);
      try {
        await withinDeadline(job, deadline, "its pictures were drawn");
      } catch (error) {
        await this.stop();
        throw error;
      }
      this.#idle = setTimeout(() => void this.stop(), IDLE_MS).unref();
    });
  }

  async stop(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #run(
    request: RasterRequest,
    take: (page: RasterPage) => void,
  ): Promise<void> {
    const worker = (this.#worker ??= startWorker());
    return new Promise((resolve, reject) => {
      const end = (error: PlatenError | null) => {
        worker.removeAllListeners().on("error", () => null);
        if (error) reject(error);
        else resolve();
      };
      worker.once("error", (error) => end(drawError(error)));
      worker.once("exit", () => end(drawError("the thread ended")));
      worker.on("message", (answer: RasterAnswer) => {
        if (answer.kind === "page") take(answer);
        else end(errorOf(answer));
      });
      worker.postMessage(request);
    });
  }
}

/** Beside this file, with its ending: `.js` when built, `.ts` when tests run the sources. */
function startWorker(): Worker {
  const ending = import.meta.url.slice(-3);
  const worker = new Worker(
    new URL(`./rasterize-worker${ending}`, import.meta.url),
  );
  worker.unref();
  return worker;
}

function errorOf(
  answer: Exclude<RasterAnswer, { kind: "page" }>,
): PlatenError | null {
  if (answer.kind === "done") return null;
  return answer.kind === "refused"
    ? new PlatenError(answer.code, answer.message)
    : drawError(answer.reason);
}

function drawError(cause: unknown): PlatenError {
  return new PlatenError(
    "render_failed",
    "The pictures of this document could not be drawn. Try again, with fewer pages or a smaller scale.",
    { cause },
  );
}
