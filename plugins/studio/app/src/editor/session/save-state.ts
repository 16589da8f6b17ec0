/** What became of the latest changes. */
export type SaveState =
  | { kind: "saved"; at: string | null }
  | { kind: "waiting" | "saving" }
  /** Others have changed the same: nothing is written until somebody chose. */
  | { kind: "asking" }
  | { kind: "failed"; why: string };
