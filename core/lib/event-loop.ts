import { AsyncLocalStorage } from "node:async_hooks";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Log, Metrics } from "../plugin-api/index.js";
import { clock, type Timer } from "./clock.js";

// Who holds the event loop. While a request or a job computes without a pause, nobody else is answered: work that takes
// long belongs into worker threads, and what is left is watched here.

/** Whose work runs. More is added as it becomes known. */
export interface WorkOwner {
  /** The pattern of a route, or the kind of a job. */
  route: string;
  requestId?: string;
  organizationId?: string;
  keyId?: string;
  templateId?: string;
}

/** Holds of this length are logged and counted. */
const MIN_HELD_MS = 200;

const currentOwner = new AsyncLocalStorage<WorkOwner>();
/** Those whose work has begun and not ended, while there is a watchdog. */
const owners = new Set<WorkOwner>();
/** Those whose work has ended since the watchdog looked. */
let ended: WorkOwner[] = [];
let watchdog: EventLoopWatchdog | null = null;

export function startWatchdog(log: Log, metrics: Metrics): EventLoopWatchdog {
  watchdog = new EventLoopWatchdog(log, metrics);
  return watchdog;
}

/** Runs the work of a request or a job. All that it starts is known as its owner's. */
export async function runAsOwner<T>(
  owner: WorkOwner,
  work: () => Promise<T>,
): Promise<T> {
  if (watchdog) owners.add(owner);
  try {
    return await currentOwner.run(owner, work);
  } finally {
    if (watchdog) ended.push(owner);
  }
}

/** The organization whose work runs, once it is known. */
export function findOwningOrganization(): string | undefined {
  return currentOwner.getStore()?.organizationId;
}

/** Whether a request or a job of another organization is in progress. */
export function isServingOthers(organization: string): boolean {
  for (const owner of owners)
    if (
      owner.organizationId !== undefined &&
      owner.organizationId !== organization &&
      !ended.includes(owner)
    )
      return true;
  return false;
}

/** Adds what has become known about the owner of the current work. */
export function describeOwner(details: Partial<WorkOwner>): void {
  const owner = currentOwner.getStore();
  if (owner) Object.assign(owner, details);
}

/**
 * Runs work that computes without a pause. When it holds the event loop for long, the log says so with its owner.
 * @param work a few words that name it, the same for all calls
 */
export function watchWork<T>(work: string, run: () => T): T {
  const started = performance.now();
  try {
    return run();
  } finally {
    const heldMs = performance.now() - started;
    if (heldMs >= MIN_HELD_MS)
      watchdog?.noteWork(work, heldMs, currentOwner.getStore());
  }
}

/** How often the event loop shows that it turns. */
const BEAT_MS = 50;
/** Requests that one line names when it is not known which of them it was. */
const MAX_NAMED = 5;

/** Measures the delay of the event loop, and logs and counts what holds it. One for each process. */
class EventLoopWatchdog {
  readonly #delay = monitorEventLoopDelay({ resolution: 10 });
  readonly #count: (labels: { work: string }) => void;
  readonly #timer: Timer;
  #beatAt = performance.now();
  /** Of the time since the last beat, what has been logged. */
  #explainedMs = 0;

  constructor(
    private readonly log: Log,
    metrics: Metrics,
  ) {
    this.#count = metrics.counter({
      name: "platen_event_loop_holds_total",
      help: "Times that something held the event loop for 200 ms or longer, by the work that did it.",
      labels: ["work"],
    });
    metrics.gauge(
      {
        name: "platen_event_loop_delay_seconds",
        help: "How late the event loop was since the last scrape: its median, 99th percentile and maximum.",
        labels: ["quantile"],
      },
      () => this.#readDelays(),
    );
    this.#delay.enable();
    this.#timer = clock.watch(BEAT_MS, () => this.#beat()).unref();
  }

  stop(): void {
    this.#timer.cancel();
    this.#delay.disable();
    if (watchdog !== this) return;
    watchdog = null;
    owners.clear();
    ended = [];
  }

  /** Work that is a part of other work is logged once, with the innermost name. */
  noteWork(work: string, heldMs: number, owner: WorkOwner | undefined): void {
    const unexplainedMs = Math.min(
      heldMs,
      performance.now() - this.#beatAt - this.#explainedMs,
    );
    if (unexplainedMs < MIN_HELD_MS) return;
    this.#explainedMs += unexplainedMs;
    this.#report(work, unexplainedMs, { ...owner });
  }

  #beat(): void {
    const now = performance.now();
    const heldMs = now - this.#beatAt - BEAT_MS - this.#explainedMs;
    this.#beatAt = now;
    this.#explainedMs = 0;
    if (heldMs >= MIN_HELD_MS) this.#reportUnknown(heldMs);
    for (const owner of ended) owners.delete(owner);
    ended = [];
  }

  /** Without a request, as while the service starts, there is nobody to name: the hold is counted and not logged. */
  #reportUnknown(heldMs: number): void {
    const running = [...owners].slice(0, MAX_NAMED);
    const [only] = running;
    if (!only) return this.#count({ work: "unknown" });
    this.#report(
      "unknown",
      heldMs,
      running.length === 1 ? { ...only } : { oneOf: running },
    );
  }

  #report(work: string, heldMs: number, who: object): void {
    this.#count({ work });
    const fields = { work, heldMs: Math.round(heldMs), ...who };
    this.log.warn(fields, "the event loop was held");
  }

  #readDelays() {
    const samples = [
      { quantile: "0.5", nanoseconds: this.#delay.percentile(50) },
      { quantile: "0.99", nanoseconds: this.#delay.percentile(99) },
      { quantile: "1", nanoseconds: this.#delay.max },
    ].map(({ quantile, nanoseconds }) => ({
      labels: { quantile },
      value: nanoseconds / 1e9,
    }));
    this.#delay.reset();
    return samples;
  }
}
