// What a renderer tells of itself, for whoever publishes it.

export type RenderKind = "pdf" | "images" | "screenshot";

/**
 * How a job ended. `timeout`: its deadline passed; `cancelled`: its client hung up before; `crashed`: page or browser
 * ended under it twice; `busy`: the line was full; `failed`: anything else.
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
  /** From the call to its end, waiting included. */
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
  /** Memory of all browsers with all their processes, in MB (PSS), read as it is asked for; null where none runs. */
  pssMb: number | null;
}
