import { PlatenError, type Deadline } from "../../plugin-api/index.js";
import { JobQueue } from "../job-queue.js";
import { withinDeadline } from "../time-limit.js";
import { DrawingThread } from "./drawing-thread.js";
import type { RasterPage, RasterRequest } from "./raster-messages.js";

/** The thread's memory never shrinks, so it ends when nobody has needed it for a while. */
const IDLE_MS = 60_000;

/** Draws pages of PDFs in one thread, started by the first job; one job after the other. */
export class Rasterizer {
  readonly #queue: JobQueue;
  #thread: DrawingThread | null = null;
  #idle: NodeJS.Timeout | undefined;

  constructor(limit: number) {
    this.#queue = new JobQueue(1, limit);
  }

  get queued(): number {
    return this.#queue.queued;
  }

  get busy(): number {
    return this.#queue.busy;
  }

  /**
   * Hands each page to `take` as soon as it is drawn.
   * @throws PlatenError `render_failed`, `busy` or `timeout`, or what the request is refused for; a job that fails
   * otherwise than by a refusal takes its thread with it.
   */
  draw(
    request: RasterRequest,
    deadline: Deadline,
    take: (page: RasterPage) => void,
  ): Promise<void> {
    return this.#queue.run(deadline, async () => {
      clearTimeout(this.#idle);
      const job = (this.#thread ??= new DrawingThread()).draw(request, take);
      try {
        await withinDeadline(job, deadline, "its pictures were drawn");
      } catch (error) {
        if (!isRefusal(error)) await this.stop();
        throw error;
      } finally {
        this.#rest();
      }
    });
  }

  #rest(): void {
    if (!this.#thread) return;
    this.#idle = setTimeout(() => void this.stop(), IDLE_MS).unref();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = null;
    await thread?.stop();
  }
}

/** True when the thread itself has answered so, and is as good as before. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof PlatenError)) return false;
  return error.code === "invalid_request" || error.code === "too_large";
}
