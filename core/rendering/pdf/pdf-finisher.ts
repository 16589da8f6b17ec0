import { type Deadline, PlatenError } from "../../plugin-api/index.js";
import type { FinishAnswer, FinishRequest } from "./finish-messages.js";
import type { FinishPool } from "./finish-pool.js";
import type { Finished, Finishing } from "./finishing.js";
import { MemoryGuard } from "./memory-guard.js";

/** The thread ends when nobody has needed it for a while. */
const IDLE_MS = 60_000;
const MOST_WAITING = 64;
const MOST_MEMORY_BYTES = 512 * 1024 * 1024;

/** Finishes PDFs in one thread, started by the first; one after the other. */
export class PdfFinisher {
  readonly #guard = new MemoryGuard(MOST_MEMORY_BYTES);
  #pool: Promise<FinishPool> | null = null;
  #running = 0;
  #idle: NodeJS.Timeout | undefined;

  /** @throws PlatenError `invalid_request` for what cannot be joined, `too_large`, `busy`, `timeout` or `render_failed`. */
  async finish(
    printed: Buffer,
    finishing: Finishing,
    deadline: Deadline,
  ): Promise<Finished> {
    deadline.check("its PDF waited to be finished");
    const answer = await this.#run({ printed, finishing }, deadline);
    if ("code" in answer)
      throw new PlatenError(answer.code, answer.message, answer);
    const { buffer, byteOffset, byteLength } = answer.bytes;
    return { ...answer, bytes: Buffer.from(buffer, byteOffset, byteLength) };
  }

  /** Ends the thread; what it works at fails. */
  async stop(): Promise<void> {
    clearTimeout(this.#idle);
    const pool = this.#pool;
    this.#pool = null;
    await (await pool)?.destroy();
  }

  async #run(
    request: FinishRequest,
    deadline: Deadline,
  ): Promise<FinishAnswer> {
    clearTimeout(this.#idle);
    const pool = await (this.#pool ??= loadPool());
    if (pool.queueSize >= MOST_WAITING) throw busy();
    this.#running += 1;
    try {
      return await this.#guard.run(deadline.signal, (signal) =>
        pool.run(request, { signal }),
      );
    } catch (cause) {
      deadline.check("its PDF was finished");
      if (cause instanceof PlatenError) throw cause;
      throw unfinished(cause);
    } finally {
      this.#running -= 1;
      this.#rest();
    }
  }

  #rest(): void {
    clearTimeout(this.#idle);
    if (this.#running === 0)
      this.#idle = setTimeout(() => void this.stop(), IDLE_MS).unref();
  }
}

/** Few documents need it, so it is loaded when the first does. */
async function loadPool(): Promise<FinishPool> {
  const { startFinishPool } = await import("./finish-pool.js");
  return startFinishPool();
}

function busy(): PlatenError {
  return new PlatenError(
    "busy",
    "Too many PDFs wait to be finished. Try again in a moment.",
    { retryAfterSeconds: 5 },
  );
}

function unfinished(cause: unknown): PlatenError {
  return new PlatenError(
    "render_failed",
    "The PDF was printed, and could not be finished. Try again; if it stays, leave out parts of renderOptions.pdf.",
    { cause },
  );
}
