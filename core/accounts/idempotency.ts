import { createHmac, randomUUID } from "node:crypto";
import { IsNull, LessThan, type EntityManager } from "typeorm";
import { clock, type Timer } from "../lib/clock.js";
import { PlatenError } from "../plugin-api/index.js";
import {
  IdempotencyKey,
  insertRow,
  isDuplicate,
  type Store,
  STORE,
} from "../storage/database/index.js";
import { SECRET } from "../lib/process-values.js";
import { Lifecycle, scoped, inject } from "../lib/injection.js";

const keepMs = 24 * 3_600_000;
const retrySeconds = 2;
const keyPattern = /^[\x21-\x7e]{1,255}$/;

/** An answer that was given before, and the fingerprint of the request that it was given to. */
export interface SavedAnswer {
  fingerprint: string;
  answer: string;
}

/** The state of a key: a claim to do the work, or the saved response. */
export type Found =
  | { claim: IdempotencyClaim; savedAnswer: null }
  | { claim: null; savedAnswer: SavedAnswer };

/** Header `Idempotency-Key`: one key, one piece of work, one answer, also when its sender had to ask again. */
@scoped(Lifecycle.ContainerScoped)
export class IdempotencyKeys {
  readonly #secret: Buffer;

  constructor(
    @inject(STORE) private readonly store: Pick<Store, "read" | "unitOfWork">,
    @inject(SECRET) secret: string,
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
  async find(request: IdempotentRequest): Promise<Found> {
    if (!keyPattern.test(request.key))
      throw new PlatenError(
        "invalid_request",
        "The header Idempotency-Key must contain 1 to 255 visible ASCII characters, such as a UUID.",
      );
    const savedAnswer = await this.#findSavedAnswer(request);
    if (savedAnswer) return { claim: null, savedAnswer };
    const claim = randomUUID();
    const isMine =
      (await this.#insert(request, claim)) ||
      (await this.#takeOver(request, claim));
    if (!isMine)
      throw new PlatenError(
        "conflict",
        `A request with the Idempotency-Key "${request.key}" is still being worked on. Send it again in a moment for its answer.`,
        { retryAfterSeconds: retrySeconds },
      );
    return {
      claim: new IdempotencyClaim(this.store, request, claim),
      savedAnswer: null,
    };
  }

  /** Forgets what is too old to be given again. @returns how many. */
  async sweep(now: Date): Promise<number> {
    const { affected } = await this.store.unitOfWork.run((tx) =>
      tx.delete(IdempotencyKey, { forgetAt: LessThan(now) }),
    );
    return affected ?? 0;
  }

  async #findSavedAnswer({
    organizationId,
    key,
  }: IdempotentRequest): Promise<SavedAnswer | null> {
    const where = { organizationId, key };
    const row = await this.store.read.findOneBy(IdempotencyKey, where);
    if (!row?.answer || !row.fingerprint || row.forgetAt <= clock.date())
      return null;
    return { fingerprint: row.fingerprint, answer: row.answer };
  }

  async #insert(request: IdempotentRequest, claim: string): Promise<boolean> {
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
  #takeOver(request: IdempotentRequest, claim: string): Promise<boolean> {
    const fresh = freshClaim(claim);
    const over = LessThan(clock.date());
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
  const now = clock.now();
  return {
    claim,
    claimedUntil: new Date(now + claimMs),
    fingerprint: null,
    answer: null,
    forgetAt: new Date(now + keepMs),
  };
}

interface IdempotentOperation<T> {
  organizationId: string;
  key: string;
  /** Of the unvalidated request: a request that was valid at first may have become invalid, such as an expiry. */
  fingerprint(): Promise<string>;
  /** Keeps its answer through the claim, under the same fingerprint, in the transaction that does the work. */
  work(claim: IdempotencyClaim): Promise<T>;
  again(answer: string): Promise<T>;
}

/**
 * Does the work and saves its response, or returns the saved response. If the work fails, its key can be used again.
 * @throws PlatenError `conflict` for a key that was used for another request, or whose request is being worked on.
 */
export async function runIdempotent<T>(
  keys: IdempotencyKeys,
  request: IdempotentOperation<T>,
): Promise<T> {
  const { organizationId, key } = request;
  const { claim, savedAnswer } = await keys.find({ organizationId, key });
  if (savedAnswer) {
    if (savedAnswer.fingerprint !== (await request.fingerprint()))
      throw new PlatenError(
        "conflict",
        `The Idempotency-Key "${key}" was used for another request within the last 24 hours. Send a new key with a new request.`,
      );
    return request.again(savedAnswer.answer);
  }
  try {
    return await request.work(claim);
  } finally {
    await claim.letGo();
  }
}

/** So long a claim outlives the process that holds it; while that lives, it is renewed three times as often. */
const claimMs = 30_000;

/** A request whose sender named it, so as to be able to send it again. */
export interface IdempotentRequest {
  organizationId: string;
  key: string;
}

/** A lease on a key: no other process works on the request until its response is saved or the claim is released. */
class IdempotencyClaim {
  readonly #mine;
  readonly #renewal: Timer;

  constructor(
    private readonly store: Pick<Store, "unitOfWork">,
    private readonly request: IdempotentRequest,
    claim: string,
  ) {
    this.#mine = { ...request, claim, answer: IsNull() };
    this.#renewal = clock
      .watch(claimMs / 3, () => {
        // A renewal that fails is tried again; when none succeeds, the claim is lost, which `keep` finds out.
        void this.#renew().catch(() => undefined);
      })
      .unref();
  }

  /**
   * Keeps the answer in the caller's transaction, so that work and answer become true together.
   * @throws PlatenError `conflict` when the claim was lost meanwhile; the transaction is to change nothing then.
   */
  async keep(
    tx: EntityManager,
    fingerprint: string,
    answer: string,
  ): Promise<void> {
    const { affected } = await tx.update(IdempotencyKey, this.#mine, {
      fingerprint,
      answer,
    });
    if (affected === 1) return;
    throw new PlatenError(
      "conflict",
      `Another request with the Idempotency-Key "${this.request.key}" was quicker. Send it again for its answer.`,
    );
  }

  /** Ends it; a request whose answer was not kept may be sent again. */
  async letGo(): Promise<void> {
    this.#renewal.cancel();
    await this.store.unitOfWork.run((tx) =>
      tx.delete(IdempotencyKey, this.#mine),
    );
  }

  async #renew(): Promise<void> {
    const claimedUntil = new Date(clock.now() + claimMs);
    await this.store.unitOfWork.run((tx) =>
      tx.update(IdempotencyKey, this.#mine, { claimedUntil }),
    );
  }
}
