import { createHash } from "node:crypto";
import { clock, type Timer } from "../../lib/clock.js";
import { PlatformError, type TableScope } from "../../plugin-api/index.js";
import type { CallablePlugin } from "./plugin-contract.js";

/** The number of limiters from which idle ones are dropped. */
const maxLimiters = 1000;
const minuteMs = 60_000;

/** A request limiter for each rate limit of each platform and provider. */
export class RequestLimiters {
  private readonly limiters = new Map<string, RequestLimiter>();

  /** @param processes the number of processes that share the limits; each takes an equal part. */
  constructor(private readonly processes: number) {}

  async get(
    { meta, rate }: CallablePlugin,
    credentials: unknown,
    scope: Partial<TableScope>,
    bucketName = "",
  ): Promise<RequestLimiter> {
    const bucket = rate.buckets?.[bucketName];
    const rateKey = await rate.key(credentials, scope);
    const ownKey = bucket ? `${bucketName} ${rateKey}` : rateKey;
    // The key is hashed because it may contain credentials.
    const hash = createHash("sha256").update(ownKey);
    const key = `${meta.kind} ${meta.id} ${hash.digest("base64url")}`;
    const existing = this.limiters.get(key);
    if (existing !== undefined) return existing;
    const perSecond = bucket
      ? bucket.maxPerSecond
      : rate.perSecond
        ? await rate.perSecond(credentials)
        : rate.maxPerSecond;
    const { maxPerMinute = Infinity, maxInFlight } = rate;
    const limits = {
      maxPerMinute: bucket ? Infinity : maxPerMinute,
      maxInFlight,
    };
    const limiter = this.limiters.get(key) ?? this.create(limits, perSecond);
    this.limiters.set(key, limiter);
    return limiter;
  }

  private create(
    {
      maxPerMinute,
      maxInFlight,
    }: Pick<RequestLimits, "maxPerMinute" | "maxInFlight">,
    perSecond: number | null | undefined,
  ): RequestLimiter {
    if (this.limiters.size >= maxLimiters) this.dropIdle();
    const { processes } = this;
    return new RequestLimiter({
      spacingMs: (1000 / (perSecond ?? Infinity)) * processes,
      maxPerMinute: Math.max(1, Math.floor(maxPerMinute / processes)),
      maxInFlight: Math.max(1, Math.floor(maxInFlight / processes)),
    });
  }

  private dropIdle(): void {
    for (const [key, limiter] of this.limiters)
      if (limiter.isIdle) this.limiters.delete(key);
  }
}

interface RequestLimits {
  /** The minimum time between two starts, in milliseconds. */
  spacingMs: number;
  /** The maximum number of starts within any minute. */
  maxPerMinute: number;
  maxInFlight: number;
}

/** The call that a request belongs to. */
export interface RequestOwner {
  /** When the call ends, in milliseconds of `clock.now`. */
  endsAt: number;
  signal: AbortSignal;
  /** While the limits allow no request for longer than this, it is rejected. Waits behind others do not count. */
  maxWaitMs?: number;
  /** Default `normal`. */
  priority?: CallPriority;
}

/**
 * `urgent`: someone waits for the call, and its requests go before all others. `batch`: its requests leave one of those
 * that may be in flight to other calls.
 */
export type CallPriority = "urgent" | "normal" | "batch";

/** What a request that is sent now would meet. */
export interface LimiterState {
  /** Milliseconds until the limits allow a request again. */
  waitMs: number;
  /** The requests of batches that may be in flight at once. */
  maxInFlight: number;
  /** Whether a request of a batch could be in flight now. */
  hasRoom: boolean;
}

/** A request that waits until it is started, rejected, or its call ends. */
interface WaitingRequest {
  /** The time, in milliseconds of `clock.now`, by which requests are ordered. */
  order: number;
  isBatch: boolean;
  endsAt: number;
  maxWaitMs: number;
  start: () => void;
  reject: (reason: Error) => void;
}

/**
 * Limits the requests that share one rate limit of a platform. Urgent requests start first, then those with the least
 * time left, so that interactive requests do not wait behind a batch. No request starves, since its time left keeps
 * shrinking.
 */
export class RequestLimiter {
  private waiting: readonly WaitingRequest[] = [];
  private inFlight = 0;
  private timer: Timer | undefined;
  private nextAt = 0;
  private pausedUntil = 0;
  /** The starts within the last minute. */
  private starts: number[] = [];

  constructor(private readonly limits: RequestLimits) {}

  /** Whether it holds no state that a new limiter would not have. */
  get isIdle(): boolean {
    const isUnused = this.waiting.length === 0 && this.inFlight === 0;
    return isUnused && this.getWaitMs(clock.now()) === 0;
  }

  get state(): LimiterState {
    const maxInFlight = this.maxInFlightOfBatches;
    const hasRoom = this.inFlight < maxInFlight && this.waiting.length === 0;
    return { waitMs: this.getWaitMs(clock.now()), maxInFlight, hasRoom };
  }

  private get maxInFlightOfBatches(): number {
    return Math.max(1, this.limits.maxInFlight - 1);
  }

  /**
   * Runs `send` when the limits allow it. @throws PlatformError `rate_limited` when that would be after the call's end, or
   * after the owner's longest wait.
   */
  async run<T>(owner: RequestOwner, send: () => Promise<T>): Promise<T> {
    owner.signal.throwIfAborted();
    await this.waitForStart(owner);
    try {
      return await send();
    } finally {
      this.inFlight -= 1;
      this.startWaiting();
    }
  }

  private waitForStart({
    endsAt,
    signal,
    maxWaitMs = Infinity,
    priority = "normal",
  }: RequestOwner): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = new AbortController();
      const request: WaitingRequest = {
        order: priority === "urgent" ? clock.now() : endsAt,
        isBatch: priority === "batch",
        endsAt,
        maxWaitMs: clock.pause(maxWaitMs),
        start: () => {
          done.abort();
          resolve();
        },
        reject: (reason) => {
          done.abort();
          reject(reason);
        },
      };
      const abort = () => {
        this.remove(request);
        reject(signal.reason);
      };
      const options = { once: true, signal: done.signal };
      signal.addEventListener("abort", abort, options);
      const { order } = request;
      const after = this.waiting.findIndex((queued) => queued.order > order);
      const index = after === -1 ? this.waiting.length : after;
      this.waiting = this.waiting.toSpliced(index, 0, request);
      this.startWaiting();
    });
  }

  /** Starts nothing for this long, after the platform refused a request. */
  pause(milliseconds: number): void {
    this.pausedUntil = Math.max(
      this.pausedUntil,
      clock.now() + clock.pause(milliseconds),
    );
    this.startWaiting();
  }

  private remove(request: WaitingRequest): void {
    this.waiting = this.waiting.filter((queued) => queued !== request);
  }

  /** Starts all requests that may start now, rejects those that cannot start in time, and schedules the next. */
  private startWaiting(): void {
    this.timer?.cancel();
    const waitMs = this.getWaitMs(clock.now());
    for (const request of this.waiting)
      if (waitMs > request.maxWaitMs) {
        this.remove(request);
        request.reject(rateLimited(waitMs));
      }
    while (this.inFlight < this.limits.maxInFlight) {
      const isLeft = this.inFlight < this.maxInFlightOfBatches;
      const next = this.waiting.find(({ isBatch }) => isLeft || !isBatch);
      if (next === undefined) return;
      const now = clock.now();
      const wait = this.getWaitMs(now);
      if (wait > 0 && now + wait < next.endsAt) {
        this.timer = clock.limit(wait, () => this.startWaiting());
        return;
      }
      this.remove(next);
      if (wait > 0) next.reject(rateLimited(wait));
      else this.start(next, now);
    }
  }

  /** Starts are spread evenly, because a platform's seconds do not begin when ours do. */
  private getWaitMs(now: number): number {
    const { maxPerMinute } = this.limits;
    const windowMs = clock.pause(minuteMs);
    this.starts = this.starts.filter((at) => at > now - windowMs);
    const [oldest = now] = this.starts;
    const freeAt = this.starts.length < maxPerMinute ? now : oldest + windowMs;
    return Math.max(this.nextAt, this.pausedUntil, freeAt, now) - now;
  }

  private start(request: WaitingRequest, now: number): void {
    this.inFlight += 1;
    this.nextAt = now + clock.pause(this.limits.spacingMs);
    if (Number.isFinite(this.limits.maxPerMinute)) this.starts.push(now);
    request.start();
  }
}

function rateLimited(milliseconds: number): PlatformError {
  const seconds = Math.ceil(milliseconds / 1000);
  return new PlatformError(
    "rate_limited",
    `it accepts no more requests for ${seconds} s. Try again after that.`,
    { retryAfterMs: milliseconds },
  );
}
