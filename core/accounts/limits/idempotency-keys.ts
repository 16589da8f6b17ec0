import { createHmac, randomUUID } from "node:crypto";
import { IsNull, LessThan } from "typeorm";
import { PlatenError } from "../../plugin-api/index.js";
import {
  IdempotencyKey,
  insertRow,
  isDuplicate,
  type Store,
} from "../../storage/database/index.js";
import { Claim, claimMs, type Repeatable } from "./claim.js";

const keepMs = 24 * 3_600_000;
const retrySeconds = 2;
const keyPattern = /^[\x21-\x7e]{1,255}$/;

/** An answer that was given before, and the fingerprint of the request that it was given to. */
export interface KeptAnswer {
  fingerprint: string;
  answer: string;
}

/** What a key stands for: work to be done, or an answer that was given before. */
export type Found =
  { claim: Claim; kept: null } | { claim: null; kept: KeptAnswer };

/** Header `Idempotency-Key`: one key, one piece of work, one answer, also when its sender had to ask again. */
export class IdempotencyKeys {
  readonly #secret: Buffer;

  constructor(
    private readonly store: Pick<Store, "read" | "unitOfWork">,
    secret: string,
  ) {
    this.#secret = createHmac("sha256", secret)
      .update("platen/idempotency/v1")
      .digest();
  }

  /**
   * What is kept of a request to know it again: nobody who reads the database can guess at the request by it, which may
   * hold a password.
   */
  fingerprint(operationId: string, request: string): string {
    return createHmac("sha256", this.#secret)
      .update(`${operationId}\n${request}`)
      .digest("hex");
  }

  /**
   * @throws PlatenError `invalid_request` for what is no key, `conflict` while another request with the same key is
   * being worked on.
   */
  async find(request: Repeatable): Promise<Found> {
    if (!keyPattern.test(request.key)) throw noKey();
    const kept = await this.#kept(request);
    if (kept) return { claim: null, kept };
    const claim = randomUUID();
    const isMine =
      (await this.#insert(request, claim)) ||
      (await this.#takeOver(request, claim));
    if (!isMine) throw inProgress(request.key);
    return { claim: new Claim(this.store, request, claim), kept: null };
  }

  /** Forgets what is too old to be given again. @returns how many. */
  async sweep(now: Date): Promise<number> {
    const { affected } = await this.store.unitOfWork.run((tx) =>
      tx.delete(IdempotencyKey, { forgetAt: LessThan(now) }),
    );
    return affected ?? 0;
  }

  async #kept({ organizationId, key }: Repeatable): Promise<KeptAnswer | null> {
    const where = { organizationId, key };
    const row = await this.store.read.findOneBy(IdempotencyKey, where);
    if (!row?.answer || !row.fingerprint || row.forgetAt <= new Date())
      return null;
    return { fingerprint: row.fingerprint, answer: row.answer };
  }

  async #insert(request: Repeatable, claim: string): Promise<boolean> {
    const row = { ...request, ...freshClaim(claim) };
    try {
      await this.store.unitOfWork.run((tx) =>
        insertRow(tx, IdempotencyKey, row),
      );
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }

  /** From a process that died, or of an answer that is too old to be given again. */
  #takeOver(request: Repeatable, claim: string): Promise<boolean> {
    const fresh = freshClaim(claim);
    const over = LessThan(new Date());
    return this.store.unitOfWork.run(async (tx) => {
      for (const state of [
        { answer: IsNull(), claimedUntil: over },
        { forgetAt: over },
      ]) {
        const where = { ...request, ...state };
        const { affected } = await tx.update(IdempotencyKey, where, fresh);
        if (affected === 1) return true;
      }
      return false;
    });
  }
}

function freshClaim(claim: string) {
  const now = Date.now();
  return {
    claim,
    claimedUntil: new Date(now + claimMs),
    fingerprint: null,
    answer: null,
    forgetAt: new Date(now + keepMs),
  };
}

function noKey(): PlatenError {
  return new PlatenError(
    "invalid_request",
    "The header Idempotency-Key must hold 1 to 255 visible ASCII characters, such as a UUID.",
  );
}

function inProgress(key: string): PlatenError {
  return new PlatenError(
    "conflict",
    `A request with the Idempotency-Key "${key}" is still being worked on. Send it again in a moment for its answer.`,
    { retryAfterSeconds: retrySeconds },
  );
}
