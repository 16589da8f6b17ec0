import { LRUCache } from "lru-cache";
import { LessThan } from "typeorm";
import { PlatenError } from "../plugin-api/index.js";
import {
  type Plan,
  RequestCount,
  type Store,
  STORE,
} from "../storage/database/index.js";
import { CONFIG } from "../lib/process-values.js";
import { provide } from "../lib/injection.js";
import type { Caller } from "./api-keys.js";

const minuteMs = 60_000;

/** Requests a minute by plan; a plan that is not named has no limit. */
export type PlanLimits = Readonly<Partial<Record<Plan, number>>>;

type RateLimitSubject = Pick<
  Caller,
  "organizationId" | "plan" | "keyId" | "requestsPerMinute"
>;

/** How a caller stands after a request, for the headers of the answer. */
export interface RateStanding {
  /** Requests a minute. */
  limit: number;
  remaining: number;
  /** Until the minute is over. */
  resetSeconds: number;
  /** Whose limit it is; missing for a bucket of its own. */
  of?: "API key" | "organization";
}

/** The requests of a bucket in one minute: the database counts them in blocks, and this process counts within its block. */
interface Block {
  minute: number;
  /** The number of the last request, and the last number that this process may give. */
  current: number;
  last: number;
  /** While the next block is fetched. */
  fetching: Promise<void> | null;
}

/**
 * A block is this part of the limit, so that a process wastes at most that when the minute ends. Without blocks, html of
 * sixteen callers takes a third more time (`http-html-c16`, the median of 16 pairs, on SQLite).
 */
const blocksPerMinute = 100;
const maxBuckets = 20_000;

/**
 * Counts requests by the minute, in the database, so that all nodes count together. Written by us rather than by a
 * library, since on SQLite every write has to go through the one unit of work.
 */
export class RateLimits {
  readonly #blocks = new LRUCache<string, Block>({ max: maxBuckets });

  /**
   * @param plans the limits of organizations.
   * @param keyPlans the limits of each API key.
   */
  constructor(
    private readonly store: Pick<Store, "unitOfWork" | "dialect">,
    private readonly plans: PlanLimits,
    private readonly keyPlans: PlanLimits = {},
  ) {}

  /**
   * Counts a request, for its key and, unless the key is over its limit, for its organization.
   * @returns how its sender stands by the limit that is nearer; null where none is set.
   */
  async count(
    { organizationId, plan, keyId, requestsPerMinute }: RateLimitSubject,
    now: Date,
  ): Promise<RateStanding | null> {
    const keyLimit = requestsPerMinute ?? this.keyPlans[plan];
    // The limit of one key alone was set by the operator and replaces those of its plan.
    const limit = requestsPerMinute === null ? this.plans[plan] : undefined;
    const byKey =
      keyId === null || keyLimit === undefined
        ? null
        : await this.countIn(`key:${keyId}`, keyLimit, now, "API key");
    if (limit === undefined || (byKey !== null && byKey.remaining < 0))
      return byKey;
    const bucket = `org:${organizationId}`;
    const standing = await this.countIn(bucket, limit, now, "organization");
    return byKey !== null && byKey.remaining < standing.remaining
      ? byKey
      : standing;
  }

  /** Counts a request of a bucket of its own, such as those that nobody has signed in for. */
  async countIn(
    bucket: string,
    limit: number,
    now: Date,
    of?: RateStanding["of"],
  ): Promise<RateStanding> {
    const minute = Math.floor(now.getTime() / minuteMs);
    const number = await this.#next(bucket, minute, limit);
    const resetMs = (minute + 1) * minuteMs - now.getTime();
    return {
      limit,
      remaining: limit - number,
      resetSeconds: Math.ceil(resetMs / 1000),
      ...(of && { of }),
    };
  }

  /** Deletes the counts of earlier minutes. */
  async sweep(now: Date): Promise<void> {
    const minute = Math.floor(now.getTime() / minuteMs);
    await this.store.unitOfWork.run((tx) =>
      tx.delete(RequestCount, { minute: LessThan(minute) }),
    );
  }

  /** The number of a request in its minute. Small limits are counted one by one, large ones in blocks. */
  async #next(bucket: string, minute: number, limit: number): Promise<number> {
    let block = this.#blocks.get(bucket);
    if (block?.minute !== minute) {
      block = { minute, current: 0, last: 0, fetching: null };
      this.#blocks.set(bucket, block);
    }
    while (block.current >= block.last) {
      // Nothing is left in this minute, which needs no look into the database again.
      if (block.last > limit) return block.last;
      block.fetching ??= this.#fetch(bucket, block, limit);
      await block.fetching;
    }
    block.current += 1;
    return block.current;
  }

  async #fetch(bucket: string, block: Block, limit: number): Promise<void> {
    const size = Math.max(1, Math.floor(limit / blocksPerMinute));
    try {
      block.last = await this.#add(bucket, block.minute, size);
      block.current = block.last - size;
    } finally {
      block.fetching = null;
    }
  }

  async #add(bucket: string, minute: number, size: number): Promise<number> {
    const add =
      this.store.dialect === "sqlite"
        ? "ON CONFLICT (bucket, minute) DO UPDATE SET requests = requests + ?"
        : "ON DUPLICATE KEY UPDATE requests = requests + ?";
    return this.store.unitOfWork.run(async (tx) => {
      await tx.query(
        `INSERT INTO request_count (bucket, minute, requests) VALUES (?, ?, ?) ${add}`,
        [bucket, minute, size, size],
      );
      const row = await tx.findOneByOrFail(RequestCount, { bucket, minute });
      return row.requests;
    });
  }
}

provide(RateLimits, (c) => {
  const { rateLimits, keyRateLimits } = c.resolve(CONFIG);
  return new RateLimits(c.resolve(STORE), rateLimits, keyRateLimits);
});

/** @throws PlatenError `busy`, with the time to wait, for one request more than the limit allows. */
export function assertWithinRateLimit({
  limit,
  remaining,
  resetSeconds,
  of,
}: RateStanding): void {
  if (remaining >= 0) return;
  const whose = of ? ` of this ${of}` : "";
  throw new PlatenError(
    "busy",
    `More than ${limit} requests in a minute${whose}. Wait ${resetSeconds} seconds, then continue.`,
    { retryAfterSeconds: resetSeconds },
  );
}
