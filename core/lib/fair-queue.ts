import { setImmediate as nextLoopTurn } from "node:timers/promises";
import { type Deadline, PlatenError } from "../plugin-api/index.js";
import { clock } from "./clock.js";
import { findOwningOrganization, isServingOthers } from "./event-loop.js";
import { withinDeadline } from "./race-with-abort.js";

const MAX_RETRY_AFTER_SECONDS = 60;
/** Weight of the earlier jobs in the moving average of job times. */
const PACE_SMOOTHING = 0.9;

/** The longest pause of an owner between two turns. */
const MAX_PAUSE_MS = 50;

interface WaitOptions {
  /** What they wait for, in errors: "a free page". */
  what: string;
  /** Jobs in the queue; when it is full, the owner with the most jobs in it loses its latest one. Default: any number. */
  maxWaiting?: number;
  /** How long a job waits before it is refused as well. Default: until its deadline. */
  maxWaitMs?: number;
  /** The error of both, with {waiting} for `maxWaiting`. */
  busy?: string;
  /**
   * For work on the thread that answers requests. No slot is kept. Between two jobs that waited, the event loop turns
   * once, so that others are answered; and while there is work of other organizations, the owner of the last job pauses
   * for as long as that took, so that at least half of the time is theirs.
   */
  areTurns?: boolean;
}

/** What decides when a job gets a slot. */
interface FairJob {
  /** The job leaves the queue when it passes. */
  deadline?: Deadline | undefined;
  /** The organization whose job it is; jobs without one share a turn. */
  owner?: string | undefined;
}

interface WaitingJob {
  owner: string;
  start(slot: number): void;
  reject(error: PlatenError): void;
}

/**
 * A fixed number of slots that run one job each. Owners that wait get free slots in turn: the one with the fewest running
 * jobs first, then the one that was served longest ago. While nobody else waits, one owner may use all slots. Jobs are not
 * interrupted; instead, one more slot is kept for owners that have none while another owner holds all or several.
 */
export class FairQueue {
  readonly #free: number[];
  /** The number of the slot that is kept, while it is free. */
  #reservedSlot: number | null;
  readonly #running = new Map<string, number>();
  /** Of owners that have jobs, the number of the last one that got a slot. */
  readonly #servedAt = new Map<string, number>();
  #served = 0;
  /** The waiting jobs of each owner. */
  readonly #waiting = new Map<string, WaitingJob[]>();
  readonly #onIdle: (() => void)[] = [];
  #queued = 0;
  #busy = 0;
  #averageMs = 50;
  /** Set while all that wait are of one owner, which pauses. */
  #pause: { owner: string; end(): void } | null = null;

  constructor(
    private readonly slots: number,
    private readonly options: WaitOptions,
  ) {
    this.#free = Array.from({ length: slots }, (_, index) => index);
    this.#reservedSlot = options.areTurns ? null : slots;
  }

  get queued(): number {
    return this.#queued;
  }

  get busy(): number {
    return this.#busy;
  }

  /**
   * Waits for a free slot and runs `work` in it. `work` must end soon after its deadline.
   * @param work gets the number of the slot, at most `slots`
   * @throws PlatenError `busy` when the queue is full or the wait too long, `timeout` when the deadline passes in the queue.
   */
  async run<T>(
    { deadline, owner = "" }: FairJob,
    work: (slot: number) => Promise<T>,
  ): Promise<T> {
    deadline?.check(this.#waitingFor);
    const slot =
      this.#takeSlot(owner) ?? (await this.#waitForSlot(owner, deadline));
    const started = performance.now();
    try {
      return await work(slot);
    } finally {
      const tookMs = performance.now() - started;
      this.#averageMs =
        this.#averageMs * PACE_SMOOTHING + tookMs * (1 - PACE_SMOOTHING);
      this.#release(owner, slot, tookMs);
    }
  }

  /**
   * Resolves when the owner may compute for some milliseconds without a pause. Its slot is free again after that turn of
   * the event loop.
   */
  take(owner = findOwningOrganization()): Promise<void> {
    return new Promise((resolve) => {
      void this.run({ owner }, async () => {
        resolve();
        await nextLoopTurn();
      });
    });
  }

  /** Resolves when no job runs and none waits. */
  idle(): Promise<void> {
    if (this.busy === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle.push(resolve);
    });
  }

  get #waitingFor(): string {
    return `it waited for ${this.options.what}`;
  }

  async #waitForSlot(
    owner: string,
    deadline: Deadline | undefined,
  ): Promise<number> {
    if (this.#queued >= (this.options.maxWaiting ?? Infinity))
      this.#makeRoomFor(owner);
    let job: WaitingJob | undefined;
    const turn = new Promise<number>((start, reject) => {
      job = { owner, start, reject };
      this.#enqueue(job);
    });
    const { maxWaitMs } = this.options;
    const refuse = () => {
      if (job && this.#dequeue(job)) job.reject(this.#createBusyError());
    };
    const timer =
      maxWaitMs === undefined ? null : clock.limit(maxWaitMs, refuse);
    try {
      return await (deadline
        ? withinDeadline(turn, deadline, this.#waitingFor)
        : turn);
    } catch (error) {
      if (!job || !this.#dequeue(job))
        void turn.then(
          (slot) => this.#freeSlot(owner, slot),
          () => null,
        );
      throw error;
    } finally {
      timer?.cancel();
    }
  }

  /** Null when there is none that the owner may have. */
  #takeSlot(owner: string): number | null {
    const slot =
      this.#free.shift() ??
      (this.#mayHaveKept(owner) ? this.#reservedSlot : null);
    if (slot === null) return null;
    if (slot === this.#reservedSlot) this.#reservedSlot = null;
    this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1);
    this.#served += 1;
    this.#servedAt.set(owner, this.#served);
    this.#busy += 1;
    return slot;
  }

  #mayHaveKept(owner: string): boolean {
    if (this.#reservedSlot === null || this.#running.has(owner)) return false;
    const several = Math.min(this.slots, 2);
    for (const count of this.#running.values())
      if (count >= several) return true;
    return false;
  }

  /** A turn ends when the next one may begin. */
  #release(owner: string, slot: number, tookMs: number): void {
    if (!this.options.areTurns || this.#queued === 0)
      return this.#freeSlot(owner, slot);
    const end = () => {
      this.#pause = null;
      this.#freeSlot(owner, slot);
    };
    const isAlone = this.#waiting.size === 1 && this.#waiting.has(owner);
    if (!isAlone || !isServingOthers(owner)) return void setImmediate(end);
    const timer = clock.limit(Math.min(tookMs, MAX_PAUSE_MS), end);
    this.#pause = {
      owner,
      end: () => {
        timer.cancel();
        this.#pause = null;
        setImmediate(end);
      },
    };
  }

  #freeSlot(owner: string, slot: number): void {
    const others = (this.#running.get(owner) ?? 0) - 1;
    if (others > 0) this.#running.set(owner, others);
    else this.#running.delete(owner);
    if (others <= 0 && !this.#waiting.has(owner)) this.#servedAt.delete(owner);
    this.#busy -= 1;
    if (slot === this.slots) this.#reservedSlot = slot;
    else this.#free.push(slot);
    this.#startWaiting();
    if (this.busy === 0) for (const notify of this.#onIdle.splice(0)) notify();
  }

  #startWaiting(): void {
    while (this.#startNext());
  }

  /** False when no waiting job may start. */
  #startNext(): boolean {
    const owners = [...this.#waiting.keys()].toSorted(
      (a, b) =>
        (this.#running.get(a) ?? 0) - (this.#running.get(b) ?? 0) ||
        (this.#servedAt.get(a) ?? 0) - (this.#servedAt.get(b) ?? 0),
    );
    for (const owner of owners) {
      const slot = this.#takeSlot(owner);
      if (slot === null) continue;
      const [job] = this.#waiting.get(owner) ?? [];
      if (job) this.#dequeue(job);
      job?.start(slot);
      return true;
    }
    return false;
  }

  #enqueue(job: WaitingJob): void {
    const jobs = this.#waiting.get(job.owner);
    if (jobs) jobs.push(job);
    else this.#waiting.set(job.owner, [job]);
    this.#queued += 1;
    if (this.#pause && this.#pause.owner !== job.owner) this.#pause.end();
  }

  /** False when it does not wait any more. */
  #dequeue(job: WaitingJob): boolean {
    const jobs = this.#waiting.get(job.owner) ?? [];
    const index = jobs.indexOf(job);
    if (index < 0) return false;
    jobs.splice(index, 1);
    if (jobs.length === 0) this.#waiting.delete(job.owner);
    this.#queued -= 1;
    return true;
  }

  /** Rejects the latest job of the owner that has the most jobs in the queue, which all owners share. */
  #makeRoomFor(owner: string): void {
    const ownCount = this.#waiting.get(owner)?.length ?? 0;
    let latest: WaitingJob | undefined;
    let most = ownCount + 1;
    for (const jobs of this.#waiting.values())
      if (jobs.length > most) [latest, most] = [jobs.at(-1), jobs.length];
    if (!latest) throw this.#createBusyError();
    this.#dequeue(latest);
    latest.reject(this.#createBusyError());
  }

  #createBusyError(): PlatenError {
    const { maxWaiting = 0, busy = "" } = this.options;
    const seconds = (this.#averageMs * (maxWaiting + 1)) / this.slots / 1000;
    return new PlatenError(
      "busy",
      busy.replace("{waiting}", String(maxWaiting)),
      {
        retryAfterSeconds: Math.min(
          MAX_RETRY_AFTER_SECONDS,
          Math.max(1, Math.ceil(seconds)),
        ),
      },
    );
  }
}

/** Of work on the thread that answers requests: large bodies, and the parts of long answers. */
export const answeringTurns = new FairQueue(1, {
  what: "its turn",
  areTurns: true,
});

/** Bodies of this length take a turn: 16 kB of JSON are parsed and validated in about 1 ms. */
export const MIN_TURN_LENGTH = 16 * 1024;
