import { setImmediate as nextLoopTurn } from "node:timers/promises";
import { clock, type Timer } from "./clock.js";
import { findOwningOrganization, isServingOthers } from "./event-loop.js";

/** The longest pause of an organization between two turns. */
const MAX_PAUSE_MS = 50;

/**
 * Runs work one after another: that of one organization in the order of the calls, and organizations in turn, so that
 * none waits for all the work of another one. Work of no organization shares a turn. Between two that waited, the event
 * loop turns once, so that others are answered; and while there is work of other organizations, the one that had the last
 * turn pauses for as long as that took, so that at least half of the time is theirs.
 */
export class FairTurns {
  /** What starts the waiting work. The organization whose turn is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #onIdle: (() => void)[] = [];
  #isBusy = false;
  /** Set while all that wait are of one organization, which pauses. */
  #pause: { organization: string; timer: Timer } | null = null;

  /** The result of `work`, or its error. */
  async run<T>(
    work: () => Promise<T>,
    organization = findOwningOrganization() ?? "",
  ): Promise<T> {
    if (this.#isBusy) await this.#waitForTurn(organization);
    this.#isBusy = true;
    const started = performance.now();
    try {
      return await work();
    } finally {
      this.#startNext(organization, performance.now() - started);
    }
  }

  /**
   * Resolves when the organization may compute for some milliseconds without a pause. Its turn ends with that of the
   * event loop.
   */
  async take(organization = findOwningOrganization()): Promise<void> {
    return new Promise((resolve) => {
      const work = async () => {
        resolve();
        await nextLoopTurn();
      };
      void this.run(work, organization);
    });
  }

  /** Resolves when nothing runs or waits. */
  async idle(): Promise<void> {
    if (this.#isBusy)
      await new Promise<void>((resolve) => {
        this.#onIdle.push(resolve);
      });
  }

  #waitForTurn(organization: string): Promise<void> {
    return new Promise((start) => {
      const waiting = this.#waiting.get(organization);
      if (waiting) waiting.push(start);
      else this.#waiting.set(organization, [start]);
      if (this.#pause === null || this.#pause.organization === organization)
        return;
      this.#pause.timer.cancel();
      this.#pause = null;
      this.#start(organization);
    });
  }

  /** It stays busy until the next one runs, so that no other starts before it. */
  #startNext(last: string, heldMs: number): void {
    const [next] = this.#waiting.keys();
    if (next === undefined) {
      this.#isBusy = false;
      for (const resolve of this.#onIdle.splice(0)) resolve();
      return;
    }
    if (next !== last || !isServingOthers(last)) return this.#start(next);
    const timer = clock.limit(Math.min(heldMs, MAX_PAUSE_MS), () => {
      this.#pause = null;
      this.#start(next);
    });
    this.#pause = { organization: next, timer };
  }

  #start(organization: string): void {
    const [start, ...others] = this.#waiting.get(organization) ?? [];
    this.#waiting.delete(organization);
    if (others.length > 0) this.#waiting.set(organization, others);
    if (start) setImmediate(start);
  }
}

/** Of work on the thread that answers requests: large bodies, and the parts of long answers. */
export const answeringTurns = new FairTurns();

/** Bodies of this length take a turn: 16 kB of JSON are parsed and validated in about 1 ms. */
export const MIN_TURN_LENGTH = 16 * 1024;
