import { Piscina } from "piscina";
import { type Deadline, PlatenError } from "../contract/index.js";
import type { FinishAnswer, FinishRequest } from "./finish-messages.js";
import type { Finishing } from "./finishing.js";

/** The thread ends when nobody has needed it for a while. */
const IDLE_MS = 60_000;
const MOST_WAITING = 64;

/** Finishes PDFs in one thread, started by the first; one after the other. */
export class PdfFinisher {
  #pool: Piscina<FinishRequest, FinishAnswer> | null = null;

  /** @throws PlatenError `invalid_request` for what cannot be joined, `busy`, `timeout` or `render_failed`. */
  async finish(
    printed: Buffer,
    finishing: Finishing,
    deadline: Deadline,
  ): Promise<Buffer> {
    deadline.check("its PDF waited to be finished");
    const answer = await this.#run({ printed, finishing }, deadline);
    if ("code" in answer)
      throw new PlatenError(answer.code, answer.message, answer);
    const { buffer, byteOffset, byteLength } = answer.bytes;
    return Buffer.from(buffer, byteOffset, byteLength);
  }

  /** Ends the thread; what it works at fails. */
  async stop(): Promise<void> {
    const pool = this.#pool;
    this.#pool = null;
    await pool?.destroy();
  }

  async #run(
    request: FinishRequest,
    deadline: Deadline,
  ): Promise<FinishAnswer> {
    const pool = (this.#pool ??= startPool());
    if (pool.queueSize >= MOST_WAITING) throw busy();
    try {
      return await pool.run(request, { signal: deadline.signal });
    } catch (cause) {
      deadline.check("its PDF was finished");
      throw new PlatenError(
        "render_failed",
        "The PDF was printed, and could not be finished. Try again; if it stays, leave out parts of renderOptions.pdf.",
        { cause },
      );
    }
  }
}

/** The file lies beside this one, with its ending: `.js` when built, `.ts` when tests run the sources. */
function startPool(): Piscina<FinishRequest, FinishAnswer> {
  const ending = import.meta.url.slice(-3);
  return new Piscina<FinishRequest, FinishAnswer>({
    filename: new URL(`./finish-worker${ending}`, import.meta.url).href,
    name: "finishInThread",
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
}

function busy(): PlatenError {
  return new PlatenError(
    "busy",
    "Too many PDFs wait to be finished. Try again in a moment.",
    { retryAfterSeconds: 5 },
  );
}
