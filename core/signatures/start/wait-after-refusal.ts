import { PlatenError } from "../../plugin-api/index.js";
import type { SignatureRequest } from "../../storage/database/index.js";

/**
 * When to try again after a failure that has surely left nothing at the provider, in milliseconds; null: trying does not
 * help. What may be there already is looked for whatever the provider says.
 */
export function waitAfterRefusal(
  error: unknown,
  { sentAt, attempts }: Pick<SignatureRequest, "sentAt" | "attempts">,
  delaysMs: readonly number[],
): number | null {
  const isKnown = error instanceof PlatenError;
  if (sentAt === null && isKnown && !error.retryable) return null;
  const planned = delaysMs[attempts - 1] ?? delaysMs.at(-1) ?? 0;
  const asked = isKnown ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  return Math.max(planned, asked);
}
