/** A batch of one document, as far as is looked at. */
export interface TriedBatch {
  status: "queued" | "running" | "completed";
  writeBack: { pending: number } | null;
  documents: {
    status: "queued" | "rendering" | "succeeded" | "failed" | "expired";
    error?: string | null;
    outputs: { label: string; url: string; sizeBytes: number }[];
    metadata: {
      platen?: { writeBack?: { status: string; error?: string } };
    } | null;
  }[];
}

export type StageState = "waiting" | "busy" | "done" | "failed";

export interface Progress {
  made: StageState;
  written: StageState;
  /** Why either failed. */
  error: string | null;
  isOver: boolean;
  files: TriedBatch["documents"][number]["outputs"];
}

/** @param isWritten whether the file is to be put into a field at all. */
export function progressOf(
  { documents }: TriedBatch,
  isWritten: boolean,
): Progress {
  const [document] = documents;
  const status = document?.status ?? "queued";
  const made = madeStates[status];
  const told = document?.metadata?.platen?.writeBack;
  const written = made === "done" ? writtenState(told?.status) : "waiting";
  const isThere = written === "done" || written === "failed" || !isWritten;
  return {
    made,
    written,
    error: document?.error ?? told?.error ?? null,
    isOver: made === "failed" || (made === "done" && isThere),
    files: document?.outputs ?? [],
  };
}

const madeStates = {
  queued: "waiting",
  rendering: "busy",
  succeeded: "done",
  failed: "failed",
  expired: "failed",
} as const satisfies Record<string, StageState>;

function writtenState(told: string | undefined): StageState {
  if (told === "succeeded") return "done";
  return told === "failed" ? "failed" : "busy";
}
