import type { WebhookEndpoint } from "../storage/database/index.js";

/**
 * The columns of a rotation: `sealed` becomes the secret, and the old one signs beside it for `overlapMs`. With 0 it
 * ends at once, and so does one of an earlier rotation.
 */
export function rotateSecret(
  { secret }: Pick<WebhookEndpoint, "secret">,
  sealed: string,
  overlapMs: number,
) {
  const now = new Date();
  const hasOverlap = overlapMs > 0;
  return {
    secret: sealed,
    previousSecret: hasOverlap ? secret : null,
    previousSecretUntil: hasOverlap
      ? new Date(now.getTime() + overlapMs)
      : null,
    updatedAt: now,
  };
}
