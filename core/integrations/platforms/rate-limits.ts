import { LRUCache } from "lru-cache";
import { injectable } from "../../lib/injection.js";
import type { PartitionLimit } from "../../queue/index.js";
import type { RecordBatch } from "../../storage/database/index.js";
import type { ConnectedPlatform, LimiterState } from "../host/index.js";
import { getPartitionKey, maxWaitMs } from "./jobs.js";

/** While jobs of a partition end within this time, more of them run than requests may be in flight. */
const soonMs = 1000;
const jobsPerRequest = 4;

/**
 * The rate limits of platforms by which the queue decides which jobs may start. A rate limit depends on credentials, which
 * only a job decrypts, so the limit of a partition is known from its first job on.
 */
@injectable()
export class RateLimits {
  readonly #limiters = new LRUCache<string, { readonly state: LimiterState }>({
    max: 10_000,
  });
  /** The partitions whose last write ended soon. */
  readonly #prompt = new LRUCache<string, true>({ max: 10_000 });

  /** Called by each job. @returns whether the partition's limit was unknown: more of its jobs may start now. */
  async learn(
    target: PartitionTarget,
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

  /** Called after each write. @param durationMs Infinity when it failed. */
  noteWrite(target: PartitionTarget, durationMs: number): void {
    const key = getPartitionKey(target);
    if (durationMs < soonMs) this.#prompt.set(key, true);
    else this.#prompt.delete(key);
  }

  /** For jobs that fetch; see `WorkOptions.getLimit`. */
  readonly getLimit = (partition: PartitionName): PartitionLimit =>
    this.#getLimit(partition, 1);

  /** For jobs that write: some are prepared while the requests of others are in flight, unless these hang. */
  readonly getWriteLimit = (partition: PartitionName): PartitionLimit =>
    this.#getLimit(
      partition,
      this.#prompt.has(partition.key) ? jobsPerRequest : 1,
    );

  #getLimit({ key, isUrgent }: PartitionName, jobs: number): PartitionLimit {
    const limiter = this.#limiters.get(key);
    if (limiter === undefined) return { key, maxRunning: 1, waitMs: 0 };
    const { waitMs, maxInFlight, hasRoom } = limiter.state;
    return {
      // Those of batches that hang do not hold up urgent ones, to which one request in flight is left.
      key: isUrgent ? `${key} urgent` : limiter,
      maxRunning: hasRoom ? jobs * maxInFlight : maxInFlight,
      waitMs: waitMs > maxWaitMs ? waitMs : 0,
    };
  }
}

type PartitionTarget = Pick<
  RecordBatch,
  "organizationId" | "connectionId" | "baseId"
>;

interface PartitionName {
  key: string;
  isUrgent: boolean;
}
