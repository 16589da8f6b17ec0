import { setTimeout as wait } from "node:timers/promises";
import type { Deadline, Log } from "../../contract/index.js";
import type { BrowserKeeper } from "../browser/browser-keeper.js";
import { isOver, withinDeadline } from "../time-limit.js";
import { SealedPage } from "./sealed-page.js";

/** A job past its deadline may end within this time, which is cheaper than a new page. */
const GRACE_MS = 100;
const TRIES = 2;

/** One place of a queue: keeps a page open for one job after the other, a fresh one after every fault. */
export class PageSlot {
  #page: SealedPage | null = null;
  #getting: Promise<SealedPage> | null = null;
  #replaced = 0;

  constructor(
    private readonly keeper: BrowserKeeper,
    private readonly log: Log,
  ) {}

  /** Pages that crashed, hung or were given up. */
  get replaced(): number {
    return this.#replaced;
  }

  /** Opens the page ahead of the first job. */
  async warm(): Promise<void> {
    await this.#usablePage();
  }

  /**
   * Runs a job on the page. A page that is lost under it is replaced and the job tried once more; a job past its
   * deadline is given up together with its page.
   */
  async use<T>(
    deadline: Deadline,
    work: (page: SealedPage) => Promise<T>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const opening = this.#usablePage();
      const page = await withinDeadline(opening, deadline, "a page was opened");
      try {
        return await this.#attempt(page, deadline, work);
      } catch (error) {
        const isWorthAnother = page.isLost && attempt < TRIES;
        if (!isWorthAnother || isOver(deadline)) throw error;
        this.log.warn({ err: error }, "a page was lost; printing again");
      }
    }
  }

  async #attempt<T>(
    page: SealedPage,
    deadline: Deadline,
    work: (page: SealedPage) => Promise<T>,
  ): Promise<T> {
    page.browser.beginJob();
    const job = work(page);
    try {
      const result = await withinDeadline(job, deadline, "it was printing");
      page.rest();
      return result;
    } catch (error) {
      if (!(await endsSoon(job))) await this.#giveUp(page);
      throw error;
    } finally {
      page.browser.endJob();
    }
  }

  async #giveUp(page: SealedPage): Promise<void> {
    this.#replaced += 1;
    this.#page = null;
    await page.close().catch((error: unknown) => {
      this.log.warn({ err: error }, "a page could not be closed");
    });
  }

  /** One page at a time is opened, also when whoever asked for it has given up. */
  async #usablePage(): Promise<SealedPage> {
    this.#getting ??= this.#getPage();
    try {
      return await this.#getting;
    } finally {
      this.#getting = null;
    }
  }

  async #getPage(): Promise<SealedPage> {
    const browser = await this.keeper.browser();
    const page = this.#page;
    if (page?.isUsable && page.browser === browser) return page;
    this.#page = null;
    if (page && !page.isLost) page.close().catch(() => null);
    this.#page = await SealedPage.open(browser);
    return this.#page;
  }
}

/** True when the job ends well within the grace time: its page is as good as before. */
function endsSoon(job: Promise<unknown>): Promise<boolean> {
  const success = job.then(
    () => true,
    () => false,
  );
  return Promise.race([success, wait(GRACE_MS, false)]);
}
