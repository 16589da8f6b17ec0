import { LRUCache } from "lru-cache";
import { injectable } from "../../lib/injection.js";
import type { PartitionLimit } from "../../queue/index.js";
import type { RecordBatch } from "../../storage/database/index.js";
import type { ConnectedPlatform, LimiterState } from "../host/index.js";
import { getPartitionKey, maxWaitMs } from "./jobs.js";

/**
 * The rate limits of platforms by which the queue decides which jobs may start. A rate limit depends on credentials, which
 * only a job decrypts, so the limit of a partition is known from its first job on.
 */
@injectable()
export class RateLimits {
  readonly #limiters = new LRUCache<string, { readonly state: LimiterState }>({
    max: 10_000,
  });

  /** Called by each job. @returns whether the partition's limit was unknown: more of its jobs may start now. */
  async learn(
    target: Pick<RecordBatch, "organizationId" | "connectionId" | "baseId">,
    platform: ConnectedPlatform,
    tableId: string,
  ): Promise<boolean> {
    const { baseId } = target;
    const key = getPartitionKey(target);
    const scope = { tableId, ...(baseId !== null && { baseId }) };
    const limiter = await platform.getLimiter(scope);
    const isNew = !this.#limiters.has(key);
    this.#limiters.set(key, limiter);
    return isNew;
  }

  /** See `WorkOptions.getLimit`. One request in flight is left to urgent jobs. */
  readonly getLimit = ({
    key,
    isUrgent,
  }: {
    key: string;
    isUrgent: boolean;
  }): PartitionLimit => {
    const limiter = this.#limiters.get(key);
    if (limiter === undefined) return { key, maxRunning: 1, waitMs: 0 };
    const { waitMs, maxInFlight } = limiter.state;
    return {
      key: limiter,
      maxRunning: isUrgent ? maxInFlight : Math.max(1, maxInFlight - 1),
      waitMs: waitMs > maxWaitMs ? waitMs : 0,
    };
  };
}
