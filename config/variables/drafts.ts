import { durationOrNone } from "../duration.js";
import type { Variable } from "../variable.js";

const dayMs = 24 * 3_600_000;

/** What templates are designed with. */
export const draftVariables = {
  PLATEN_RECENT_PAYLOADS: {
    schema: durationOrNone("24h", dayMs),
    expected: "a duration of at most 24h, such as 8h, or 0 to keep none",
    example: "24h",
  },
} satisfies Record<string, Variable<unknown>>;
