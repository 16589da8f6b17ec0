import { PlatenError } from "../../plugin-api/index.js";

const leastMs = 5000;

/**
 * When to come back to a platform that takes no more requests now, in milliseconds: what it refuses for its own limits
 * is no failure. Null for any other error.
 */
export function laterMs(error: unknown): number | null {
  if (!(error instanceof PlatenError) || error.code !== "busy") return null;
  return Math.max(leastMs, (error.retryAfterSeconds ?? 0) * 1000);
}
