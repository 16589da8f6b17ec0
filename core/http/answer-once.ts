import { createHash } from "node:crypto";
import type { Claim, IdempotencyKeys } from "../admission/index.js";
import { PlatenError } from "../contract/index.js";

/** A request that carries an `Idempotency-Key`. */
export interface NamedRequest {
  organizationId: string;
  key: string;
  /** SHA-256 of what is asked for. */
  fingerprint: string;
}

/** SHA-256 of a request: the same words to another operation are another request. */
export function fingerprintOf(operationId: string, body: unknown): string {
  const text = `${operationId}\n${JSON.stringify(body)}`;
  return createHash("sha256").update(text).digest("hex");
}

/**
 * Does the work and keeps its answer, or gives again what was answered before. Work that fails leaves its key free.
 * @throws PlatenError `conflict` for a key that was used for another request, or whose request is being worked on.
 */
export async function answerOnce<T>(
  keys: IdempotencyKeys,
  { fingerprint, ...request }: NamedRequest,
  work: (claim: Claim) => Promise<T>,
  again: (answer: string) => T | Promise<T>,
): Promise<T> {
  const { claim, kept } = await keys.find(request);
  if (kept && kept.fingerprint !== fingerprint) throw otherRequest(request.key);
  if (kept) return again(kept.answer);
  try {
    return await work(claim);
  } finally {
    await claim.letGo();
  }
}

function otherRequest(key: string): PlatenError {
  return new PlatenError(
    "conflict",
    `The Idempotency-Key "${key}" was used for another request within the last 24 hours. Send a new key with a new request.`,
  );
}
