import { PlatenError, type Deadline } from "../plugin-api/index.js";

export type RenderKind = "pdf" | "images" | "screenshot";

/**
 * How a job ended. `timeout`: its deadline passed; `cancelled`: its client disconnected before; `crashed`: the page or
 * browser crashed repeatedly; `busy`: the queue was full; `failed`: any other error.
 */
export type RenderOutcome =
  "success" | "timeout" | "cancelled" | "crashed" | "busy" | "failed";

/** Why a browser was replaced: it `died`, it `hung` and was killed, or its `memory` had grown past the limit. */
export type RestartReason = "died" | "hung" | "memory";

/** `short` and `long` documents, pictures drawn from PDFs (`draw`), and screenshots of emails (`screen`). */
export type LaneName = "short" | "long" | "draw" | "screen";

export interface LaneStats {
  queued: number;
  busy: number;
}

export interface FinishedRender {
  kind: RenderKind;
  outcome: RenderOutcome;
  /** From the call to its end, including waiting. */
  durationMs: number;
}

export type RenderListener = (render: FinishedRender) => void;

export type RenderCounts = Record<RenderKind, Record<RenderOutcome, number>>;

export interface RendererStats {
  lanes: Record<LaneName, LaneStats>;
  renders: RenderCounts;
  restarts: Record<RestartReason, number>;
  /** Pages that crashed or hung and were replaced. */
  pagesReplaced: number;
  /** Memory of all browsers with all their processes, in MB (PSS), measured on each call; null when none runs. */
  pssMb: number | null;
}

/** A timer may fire this much early. */
const TIMER_SLACK_MS = 5;

const NONE: Record<RenderOutcome, number> = {
  success: 0,
  timeout: 0,
  cancelled: 0,
  crashed: 0,
  busy: 0,
  failed: 0,
};

/** Counts jobs by outcome and notifies listeners of each. */
export class RenderCounter {
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

  /** Runs a job and counts it; returns its result or throws its error unchanged. */
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
      this.#note(kind, getOutcome(error, deadline), started);
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

function getOutcome(error: unknown, deadline: Deadline): RenderOutcome {
  if (!(error instanceof PlatenError)) return "failed";
  const { code } = error;
  if (code === "timeout")
    return deadline.remainingMs > TIMER_SLACK_MS ? "cancelled" : "timeout";
  return code === "crashed" || code === "busy" ? code : "failed";
}
