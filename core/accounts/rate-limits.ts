import { LessThan } from "typeorm";
import type { Caller } from "./api-keys.js";
import { PlatenError } from "../plugin-api/index.js";
import {
  type Plan,
  RequestCount,
  type Store,
} from "../storage/database/index.js";

const minuteMs = 60_000;

/** Requests a minute that each organization of a plan may make; a plan that is not named has no limit. */
export type PlanLimits = Readonly<Partial<Record<Plan, number>>>;

/** Whose request it is. */
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
}

/**
 * Counts requests by the minute, in the database, so that all nodes count together. Written by us rather than by a
 * library, since on SQLite every write has to go through the one unit of work.
 */
export class RateLimits {
  constructor(
    private readonly store: Pick<Store, "unitOfWork" | "dialect">,
    private readonly plans: PlanLimits,
  ) {}

  /** Counts a request. @returns how its sender stands; null where no limit is set. */
  async count(
    requester: RateLimitSubject,
    now: Date,
  ): Promise<RateStanding | null> {
    const { organizationId, plan, keyId, requestsPerMinute } = requester;
    const limit = requestsPerMinute ?? this.plans[plan] ?? null;
    if (limit === null) return null;
    const isOwn = requestsPerMinute !== null;
    const bucket = isOwn ? `key:${keyId}` : `org:${organizationId}`;
    return this.countIn(bucket, limit, now);
  }

  /** Counts a request of a bucket of its own, such as those that nobody has signed in for. */
  async countIn(
    bucket: string,
    limit: number,
    now: Date,
  ): Promise<RateStanding> {
    const minute = Math.floor(now.getTime() / minuteMs);
    const requests = await this.#add(bucket, minute);
    const resetMs = (minute + 1) * minuteMs - now.getTime();
    return {
      limit,
      remaining: limit - requests,
      resetSeconds: Math.ceil(resetMs / 1000),
    };
  }

  /** Deletes the counts of earlier minutes. */
  async sweep(now: Date): Promise<void> {
    const minute = Math.floor(now.getTime() / minuteMs);
    await this.store.unitOfWork.run((tx) =>
      tx.delete(RequestCount, { minute: LessThan(minute) }),
    );
  }

  async #add(bucket: string, minute: number): Promise<number> {
    const add =
      this.store.dialect === "sqlite"
        ? "ON CONFLICT (bucket, minute) DO UPDATE SET requests = requests + 1"
        : "ON DUPLICATE KEY UPDATE requests = requests + 1";
    return this.store.unitOfWork.run(async (tx) => {
      await tx.query(
        `INSERT INTO request_count (bucket, minute, requests) VALUES (?, ?, 1) ${add}`,
        [bucket, minute],
      );
      const row = await tx.findOneByOrFail(RequestCount, { bucket, minute });
      return row.requests;
    });
  }
}

/** @throws PlatenError `busy`, with the time to wait, for one request more than the limit allows. */
export function assertWithinRateLimit({
  limit,
  remaining,
  resetSeconds,
}: RateStanding): void {
  if (remaining >= 0) return;
  throw new PlatenError(
    "busy",
    `More than ${limit} requests in a minute. Wait ${resetSeconds} seconds, then go on.`,
    { retryAfterSeconds: resetSeconds },
  );
}
