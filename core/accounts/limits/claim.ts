import { type EntityManager, IsNull } from "typeorm";
import { PlatenError } from "../../plugin-api/index.js";
import { IdempotencyKey, type Store } from "../../storage/database/index.js";

/** So long a claim outlives the process that holds it; while that lives, it is renewed three times as often. */
export const claimMs = 30_000;

/** A request whose sender named it, so as to be able to send it again. */
export interface Repeatable {
  organizationId: string;
  key: string;
}

/** The right to work on a named request: nobody else does until its answer is kept, or it is let go. */
export class Claim {
  readonly #mine;
  readonly #renewal: NodeJS.Timeout;

  constructor(
    private readonly store: Pick<Store, "unitOfWork">,
    private readonly request: Repeatable,
    claim: string,
  ) {
    this.#mine = { ...request, claim, answer: IsNull() };
    this.#renewal = setInterval(() => {
      // A renewal that fails is tried again; when none succeeds, the claim is lost, which `keep` finds out.
      void this.#renew().catch(() => undefined);
    }, claimMs / 3).unref();
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
    clearInterval(this.#renewal);
    await this.store.unitOfWork.run((tx) =>
      tx.delete(IdempotencyKey, this.#mine),
    );
  }

  async #renew(): Promise<void> {
    const claimedUntil = new Date(Date.now() + claimMs);
    await this.store.unitOfWork.run((tx) =>
      tx.update(IdempotencyKey, this.#mine, { claimedUntil }),
    );
  }
}
