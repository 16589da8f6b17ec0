import { PlatenError, type Deadline } from "../plugin-api/index.js";
import {
  type RenderCounts,
  type RenderKind,
  type RenderListener,
  type RenderOutcome,
} from "./stats.js";

/** A timer may fire this much before its time. */
const TIMER_SLACK_MS = 5;

const NONE: Record<RenderOutcome, number> = {
  success: 0,
  timeout: 0,
  cancelled: 0,
  crashed: 0,
  busy: 0,
  failed: 0,
};

/** Counts jobs by how they end, and tells its listeners of each. */
export class RenderTally {
  readonly #listeners = new Set<RenderListener>();
  readonly #counts: RenderCounts = {
    pdf: { ...NONE },
    images: { ...NONE },
    screenshot: { ...NONE },
  };

  get counts(): RenderCounts {
    return structuredClone(this.#counts);
  }

  observe(listener: RenderListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Runs a job and counts it; its result or error goes through as it is. */
  async count<T>(
    kind: RenderKind,
    deadline: Deadline,
    job: () => Promise<T>,
  ): Promise<T> {
    const started = performance.now();
    try {
      const result = await job();
      this.#note(kind, "success", started);
      return result;
    } catch (error) {
      this.#note(kind, outcomeOf(error, deadline), started);
      throw error;
    }
  }

  #note(kind: RenderKind, outcome: RenderOutcome, started: number): void {
    this.#counts[kind][outcome] += 1;
    const durationMs = performance.now() - started;
    for (const listener of this.#listeners)
      listener({ kind, outcome, durationMs });
  }
}

function outcomeOf(error: unknown, deadline: Deadline): RenderOutcome {
  if (!(error instanceof PlatenError)) return "failed";
  const { code } = error;
  if (code === "timeout")
    return deadline.remainingMs > TIMER_SLACK_MS ? "cancelled" : "timeout";
  return code === "crashed" || code === "busy" ? code : "failed";
}
