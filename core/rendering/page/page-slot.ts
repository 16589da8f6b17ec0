import { setTimeout as wait } from "node:timers/promises";
import {
  PlatenError,
  type Deadline,
  type Log,
} from "../../plugin-api/index.js";
import type { BrowserKeeper } from "../browser/browser-keeper.js";
import type { Isolation } from "../settings.js";
import { isOver, withinDeadline } from "../time-limit.js";
import { PageUse } from "./page-use.js";
import { SealedPage } from "./sealed-page.js";

/** A job past its deadline may end within this time, which is cheaper than a new page. */
const GRACE_MS = 100;

/** A document that ends two pages is given up; one whose browser was ended, most likely by another, is not yet. */
const PAGES_PER_JOB = 2;
const BROWSERS_PER_JOB = 3;

/** What a slot needs beside its browser. */
export interface SlotSettings {
  isolation: Isolation;
  log: Log;
}

/** A job as a slot sees it. */
export interface Turn {
  deadline: Deadline;
  owner?: string | undefined;
}

interface OpenPage {
  page: SealedPage;
  use: PageUse;
}

/** One place of a queue: keeps a page open for one job after the other, a fresh one after every fault. */
export class PageSlot {
  #open: OpenPage | null = null;
  #getting: Promise<OpenPage> | null = null;
  #replaced = 0;

  constructor(
    private readonly keeper: BrowserKeeper,
    private readonly settings: SlotSettings,
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
   * Runs a job on the page. A page or browser that is lost under it is replaced and the job tried again; a job past
   * its deadline is given up together with its page.
   */
  async use<T>(turn: Turn, work: (page: SealedPage) => Promise<T>): Promise<T> {
    let [pages, browsers] = [0, 0];
    for (;;) {
      const open = await this.#pageFor(turn);
      try {
        return await this.#attempt(open, turn.deadline, work);
      } catch (error) {
        if (open.page.browser.hasEnded) browsers += 1;
        else pages += 1;
        const isHopeless =
          pages >= PAGES_PER_JOB || browsers >= BROWSERS_PER_JOB;
        if (isHopeless || !isFault(error) || isOver(turn.deadline)) throw error;
        const { log } = this.settings;
        log.warn({ err: error }, "a page was lost; printing again");
      }
    }
  }

  async #attempt<T>(
    open: OpenPage,
    deadline: Deadline,
    work: (page: SealedPage) => Promise<T>,
  ): Promise<T> {
    const { page } = open;
    page.browser.beginJob();
    const job = work(page);
    try {
      const result = await withinDeadline(job, deadline, "it was printing");
      this.#rest(open);
      return result;
    } catch (error) {
      const reason = await page.reasonOf(error);
      if (!isRefusal(error) && !(await endsSoon(job))) this.#giveUp(open);
      throw reason;
    } finally {
      page.browser.endJob();
    }
  }

  /** What only the next document waits for. */
  #rest(open: OpenPage): void {
    if (!open.use.isOver && !open.page.isSpent) return open.page.rest();
    this.#close(open);
    this.warm().catch(() => null);
  }

  #giveUp(open: OpenPage): void {
    this.#replaced += 1;
    this.#close(open);
  }

  #close(open: OpenPage): void {
    if (this.#open === open) this.#open = null;
    open.page.close().catch((error: unknown) => {
      this.settings.log.debug({ err: error }, "a page was gone before");
    });
  }

  async #pageFor({ owner, deadline }: Turn): Promise<OpenPage> {
    const opening = this.#openFor(owner);
    const open = await withinDeadline(opening, deadline, "a page was opened");
    open.use.begin(owner);
    return open;
  }

  async #openFor(owner: string | undefined): Promise<OpenPage> {
    for (;;) {
      const open = await this.#usablePage();
      if (open.use.allows(owner)) return open;
      this.#close(open);
    }
  }

  /** One page at a time is opened, also when whoever asked for it has given up. */
  async #usablePage(): Promise<OpenPage> {
    this.#getting ??= this.#getPage();
    try {
      return await this.#getting;
    } finally {
      this.#getting = null;
    }
  }

  async #getPage(): Promise<OpenPage> {
    const browser = await this.keeper.browser();
    const open = this.#open;
    if (open && !open.page.isLost && open.page.browser === browser) return open;
    if (open) this.#close(open);
    const { isolation } = this.settings;
    const page = await this.#openPage(isolation !== "shared");
    this.#open = { page, use: new PageUse(isolation) };
    return this.#open;
  }

  /** A browser that dies while it opens a page is replaced like one that dies later. */
  async #openPage(isApart: boolean): Promise<SealedPage> {
    for (let lost = 1; ; lost += 1) {
      const browser = await this.keeper.browser();
      try {
        return await SealedPage.open(browser, isApart);
      } catch (error) {
        if (!isFault(error) || lost >= BROWSERS_PER_JOB) throw error;
      }
    }
  }
}

/** True for what another page may do better. */
function isFault(error: unknown): boolean {
  if (!(error instanceof PlatenError)) return false;
  return error.code === "crashed" || error.code === "render_failed";
}

/** True for what was refused on purpose: the page is as good as before. */
function isRefusal(error: unknown): boolean {
  return error instanceof PlatenError && error.code === "too_large";
}

/** True when the job ends well within the grace time: its page is as good as before. */
function endsSoon(job: Promise<unknown>): Promise<boolean> {
  const success = job.then(
    () => true,
    () => false,
  );
  return Promise.race([success, wait(GRACE_MS, false)]);
}
