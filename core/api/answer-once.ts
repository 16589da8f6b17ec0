import type { Claim, IdempotencyKeys } from "../accounts/limits/index.js";
import { PlatenError } from "../plugin-api/index.js";

/** A request that carries an `Idempotency-Key`. */
export interface NamedRequest<T> {
  organizationId: string;
  key: string;
  /** Of what is asked for, unchecked: what was right when it was sent first may be too late now. */
  fingerprint(): Promise<string>;
  /** Keeps its answer through the claim, under the same fingerprint, in the transaction that does the work. */
  work(claim: Claim): Promise<T>;
  again(answer: string): Promise<T>;
}

/**
 * Does the work and keeps its answer, or gives again what was answered before. Work that fails leaves its key free.
 * @throws PlatenError `conflict` for a key that was used for another request, or whose request is being worked on.
 */
export async function answerOnce<T>(
  keys: IdempotencyKeys,
  request: NamedRequest<T>,
): Promise<T> {
  const { organizationId, key } = request;
  const { claim, kept } = await keys.find({ organizationId, key });
  if (kept) {
    if (kept.fingerprint !== (await request.fingerprint()))
      throw otherRequest(key);
    return request.again(kept.answer);
  }
  try {
    return await request.work(claim);
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
