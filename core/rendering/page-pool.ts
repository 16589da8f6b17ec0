import { setTimeout as wait } from "node:timers/promises";
import { PlatenError, type Deadline, type Log } from "../plugin-api/index.js";
import type { BrowserSupervisor } from "./browser/browser-supervisor.js";
import { RenderSlots } from "./render-slots.js";
import { hasPassed, withinDeadline } from "./time-limit.js";
import { IsolatedPage } from "./isolated-page.js";

/**
 * Which documents one browser page prints: all of them (`shared`), those of one `organization`, or one `document`. Separate
 * pages have their own process, storage and caches, and cost time.
 */
export type Isolation = "shared" | "organization" | "document";

/** A fixed number of pages with one queue of jobs. */
export class PagePool {
  readonly #queue: RenderSlots;
  readonly #slots: PageSlot[];

  constructor(
    supervisor: BrowserSupervisor,
    pages: number,
    queueLimit: number,
    settings: SlotSettings,
  ) {
    this.#queue = new RenderSlots(pages, queueLimit);
    this.#slots = Array.from(
      { length: pages },
      () => new PageSlot(supervisor, settings),
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

  /** Opens every page before the first job. */
  async warm(): Promise<void> {
    await Promise.all(this.#slots.map((slot) => slot.warm()));
  }

  /** Runs a job on the next free page. */
  run<T>(job: PageJob, work: (page: IsolatedPage) => Promise<T>): Promise<T> {
    return this.#queue.run(job.deadline, (index) => {
      const slot = this.#slots[index];
      if (!slot) throw new RangeError(`the pool has no page ${index}`);
      return slot.use(job, work);
    });
  }

  /** Resolves when no job is left. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }
}

/** A job may end this long after its deadline, which is cheaper than opening a new page. */
const EXIT_GRACE_MS = 100;

/** A document fails after it crashed two pages; a browser crash was most likely caused by another document. */
const PAGES_PER_JOB = 2;
const BROWSERS_PER_JOB = 3;

interface SlotSettings {
  isolation: Isolation;
  log: Log;
}

export interface PageJob {
  deadline: Deadline;
  owner?: string | undefined;
}

interface OpenPage {
  page: IsolatedPage;
  ownership: PageOwnership;
}

/** Keeps one page open for one job after the other; replaces it after a fault. */
class PageSlot {
  #open: OpenPage | null = null;
  #getting: Promise<OpenPage> | null = null;
  #replaced = 0;

  constructor(
    private readonly supervisor: BrowserSupervisor,
    private readonly settings: SlotSettings,
  ) {}

  /** Pages that crashed, hung or were abandoned. */
  get replaced(): number {
    return this.#replaced;
  }

  /** Opens the page before the first job. */
  async warm(): Promise<void> {
    await this.#usablePage();
  }

  /**
   * Runs a job on the page. When the page or browser is lost, it is replaced and the job retried; a job past its deadline
   * is abandoned together with its page.
   */
  async use<T>(
    job: PageJob,
    work: (page: IsolatedPage) => Promise<T>,
  ): Promise<T> {
    let [pages, browsers] = [0, 0];
    for (;;) {
      const open = await this.#preparePage(job);
      try {
        return await this.#attempt(open, job.deadline, work);
      } catch (error) {
        if (open.page.browser.hasEnded) browsers += 1;
        else pages += 1;
        const isFinal = pages >= PAGES_PER_JOB || browsers >= BROWSERS_PER_JOB;
        if (isFinal || !isFault(error) || hasPassed(job.deadline)) throw error;
        const { log } = this.settings;
        log.warn({ err: error }, "a page was lost; retrying");
      }
    }
  }

  async #attempt<T>(
    open: OpenPage,
    deadline: Deadline,
    work: (page: IsolatedPage) => Promise<T>,
  ): Promise<T> {
    const { page } = open;
    page.browser.beginJob();
    const job = work(page);
    try {
      const result = await withinDeadline(job, deadline, "it was printing");
      this.#finish(open);
      return result;
    } catch (error) {
      const reason = await page.diagnose(error);
      if (!isRefusal(error) && !(await endsSoon(job))) this.#abandon(open);
      throw reason;
    } finally {
      page.browser.endJob();
    }
  }

  /** Cleanup that only the next document waits for. */
  #finish(open: OpenPage): void {
    if (!open.ownership.isUsedUp && !open.page.isAltered)
      return open.page.cleanUp();
    this.#close(open);
    this.warm().catch(() => null);
  }

  #abandon(open: OpenPage): void {
    this.#replaced += 1;
    this.#close(open);
  }

  #close(open: OpenPage): void {
    if (this.#open === open) this.#open = null;
    open.page.close().catch((error: unknown) => {
      this.settings.log.debug(
        { err: error },
        "failed to close a page that had ended",
      );
    });
  }

  async #preparePage({ owner, deadline }: PageJob): Promise<OpenPage> {
    const opening = this.#getPageFor(owner);
    const open = await withinDeadline(opening, deadline, "a page was opened");
    open.ownership.begin(owner);
    return open;
  }

  async #getPageFor(owner: string | undefined): Promise<OpenPage> {
    for (;;) {
      const open = await this.#usablePage();
      if (open.ownership.allows(owner)) return open;
      this.#close(open);
    }
  }

  /** Opens one page at a time, also when the caller no longer waits for it. */
  async #usablePage(): Promise<OpenPage> {
    this.#getting ??= this.#getPage();
    try {
      return await this.#getting;
    } finally {
      this.#getting = null;
    }
  }

  async #getPage(): Promise<OpenPage> {
    const browser = await this.supervisor.browser();
    const open = this.#open;
    if (open && !open.page.isLost && open.page.browser === browser) return open;
    if (open) this.#close(open);
    const { isolation } = this.settings;
    const page = await this.#openPage(isolation !== "shared");
    this.#open = { page, ownership: new PageOwnership(isolation) };
    return this.#open;
  }

  /** A browser that dies while it opens a page is replaced as well. */
  async #openPage(isApart: boolean): Promise<IsolatedPage> {
    for (let lost = 1; ; lost += 1) {
      const browser = await this.supervisor.browser();
      try {
        return await IsolatedPage.open(browser, isApart);
      } catch (error) {
        if (!isFault(error) || lost >= BROWSERS_PER_JOB) throw error;
      }
    }
  }
}

/** Whether another page might succeed. */
function isFault(error: unknown): boolean {
  if (!(error instanceof PlatenError)) return false;
  return error.code === "crashed" || error.code === "render_failed";
}

/** Whether the job was rejected on purpose: the page is still usable. */
function isRefusal(error: unknown): boolean {
  return error instanceof PlatenError && error.code === "too_large";
}

/** Whether the job succeeds within the grace time: its page is still usable. */
function endsSoon(job: Promise<unknown>): Promise<boolean> {
  const success = job.then(
    () => true,
    () => false,
  );
  return Promise.race([success, wait(EXIT_GRACE_MS, false)]);
}

/**
 * Decides which documents may share a page: all, those of one owner, or none, depending on the isolation. With isolation
 * by owner, a document without an owner shares its page with no other.
 */
class PageOwnership {
  #isFresh = true;
  #owner: string | undefined;

  constructor(private readonly isolation: Isolation) {}

  allows(owner: string | undefined): boolean {
    if (this.#isFresh || this.isolation === "shared") return true;
    if (this.isolation === "document") return false;
    return owner !== undefined && owner === this.#owner;
  }

  begin(owner: string | undefined): void {
    this.#isFresh = false;
    this.#owner = owner;
  }

  /** True when no other document may use the page. */
  get isUsedUp(): boolean {
    if (this.#isFresh || this.isolation === "shared") return false;
    return this.isolation === "document" || this.#owner === undefined;
  }
}
