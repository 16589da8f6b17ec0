import type { BrowserKeeper } from "../browser/browser-keeper.js";
import { JobQueue } from "../job-queue.js";
import { PageSlot, type SlotSettings, type Turn } from "./page-slot.js";
import type { SealedPage } from "./sealed-page.js";

/** A queue and the pages that it leads to. */
export class PageLane {
  readonly #queue: JobQueue;
  readonly #slots: PageSlot[];

  constructor(
    keeper: BrowserKeeper,
    pages: number,
    queueLimit: number,
    settings: SlotSettings,
  ) {
    this.#queue = new JobQueue(pages, queueLimit);
    this.#slots = Array.from(
      { length: pages },
      () => new PageSlot(keeper, settings),
    );
  }

  get queued(): number {
    return this.#queue.queued;
  }

  get busy(): number {
    return this.#queue.busy;
  }

  get replaced(): number {
    return this.#slots.reduce((sum, slot) => sum + slot.replaced, 0);
  }

  /** Opens every page ahead of the first job. */
  async warm(): Promise<void> {
    await Promise.all(this.#slots.map((slot) => slot.warm()));
  }

  /** Runs a job on a page of its own, in its turn. */
  run<T>(turn: Turn, work: (page: SealedPage) => Promise<T>): Promise<T> {
    return this.#queue.run(turn.deadline, (place) => {
      const slot = this.#slots[place];
      if (!slot) throw new RangeError(`the lane has no place ${place}`);
      return slot.use(turn, work);
    });
  }

  /** Settles when no job is left. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }
}
