import { PlatenError } from "../../../plugin-api/index.js";
import { platformErrorOf } from "../platform-fault.js";

/**
 * Whether a `start` that failed so may have left a request at the provider: without an answer, and after a fault of the
 * plugin, only `find` can tell. Any other refusal is a sure one.
 */
export function isAmbiguous(error: unknown): boolean {
  const refusal = platformErrorOf(error);
  if (refusal !== null) return refusal.code === "unavailable";
  return !(error instanceof PlatenError) || error.code === "internal";
}
