import { Refusal } from "../../api.js";

/** What became of the latest changes. */
export type SaveState =
  | { kind: "saved"; at: string | null }
  | { kind: "waiting" | "saving" }
  /** Others have changed the same: nothing is written until somebody chose. */
  | { kind: "asking" }
  | { kind: "failed"; why: string };

/** @throws Refusal when the latest changes will not be saved by themselves. */
export function refuseUnsaved(state: SaveState): void {
  if (state.kind === "failed") throw new Refusal(0, state.why);
  if (state.kind === "asking")
    throw new Refusal(409, "Choose first between your changes and theirs.");
}
