import { setTimeout as wait } from "node:timers/promises";
import { withinDeadline } from "../lib/race-with-abort.js";
import { PlatenError, type Deadline, type Log } from "../plugin-api/index.js";
import {
  type BrowserSupervisor,
  type BrowserProcess,
  withinTime,
} from "./browser/browser.js";
import {
  createCrashError,
  type CdpMethod,
  type CdpParams,
  type CdpResult,
  type PageSession,
} from "./browser/cdp.js";
import { GENERIC_FAMILIES } from "./fonts/font-families.js";

/**
 * Which documents one browser page prints: all of them (`shared`), those of one `organization`, or one `document`. Separate
 * pages have their own process, storage and caches, and cost time.
 */
export type Isolation = "shared" | "organization" | "document";

/** A fixed number of pages, and one that is opened when it is first needed, with one queue of jobs: see `RenderSlots`. */
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
      { length: pages + 1 },
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

  /** Opens the pages before the first job. */
  async warm(): Promise<void> {
    await Promise.all(this.#slots.slice(0, -1).map((slot) => slot.warm()));
  }

  /** Runs a job on the next free page. */
  run<T>(job: PageJob, work: (page: IsolatedPage) => Promise<T>): Promise<T> {
    return this.#queue.run(job, (index) => {
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

interface PageJob {
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
  /** Pages that crashed, hung or were abandoned. */
  replaced = 0;

  constructor(
    private readonly supervisor: BrowserSupervisor,
    private readonly settings: SlotSettings,
  ) {}

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
        const { signal, remainingMs } = job.deadline;
        const isLate = signal.aborted || remainingMs === 0;
        if (isFinal || isLate || !isFault(error)) throw error;
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
      if (!isRefusal(error) && !(await endsSoon(job))) {
        this.replaced += 1;
        this.#close(open);
      }
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

const REFUSALS: ReadonlySet<string> = new Set(["too_large", "merge_failed"]);

/** Whether another page might succeed. */
function isFault(error: unknown): boolean {
  if (!(error instanceof PlatenError)) return false;
  return error.code === "crashed" || error.code === "render_failed";
}

/** Whether the job was rejected on purpose: the page is still usable. */
function isRefusal(error: unknown): boolean {
  return error instanceof PlatenError && REFUSALS.has(error.code);
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

/**
 * The first document of a page. Its content security policy stays in force for everything that is written into the page
 * later, so it blocks network access without a cost for each document.
 */
const BASE_DOCUMENT =
  "<!doctype html><meta http-equiv='Content-Security-Policy' content=\"" +
  "default-src 'none'; img-src data:; font-src data:; media-src data:; " +
  "style-src 'unsafe-inline' data:\">";

/**
 * The hyphen of `http-equiv`. A policy in a `<meta>` would outlive its document, and a refresh would navigate away from
 * it: another document would be printed, and a concurrent screenshot would never return.
 */
const HTTP_EQUIV = /([\s/"']http)-(?=equiv\s*=)/gi;
/** Text looks the same, but the attribute's name becomes an unknown one. */
const INERT_HTTP_EQUIV = "$1&#45;";

const HAS_FONT_FACES = /@font-face/i;

const WINDOW_HEIGHT = 100;
const OPEN_TIMEOUT_MS = 10_000;
const FORCE_LAYOUT_MS = 100;
const PROBE_TIMEOUT_MS = 1_000;

/** A page keeps about 20 kB of every document that was written into it until it navigates. */
const DOCUMENTS_BETWEEN_RENEWALS = 50;

/** A page that loads one document after the other, without scripts and network access and without state between them. */
export class IsolatedPage {
  #written = 0;
  #renewal: Promise<void> = Promise.resolve();
  #windowPx = 0;
  /** Set after changes that cannot be undone: it would draw the next document differently from a new page. */
  isAltered = false;

  private constructor(
    readonly browser: BrowserProcess,
    private readonly session: PageSession,
    private readonly frameId: string,
  ) {}

  /** @param isApart with its own browser context */
  static async open(
    browser: BrowserProcess,
    isApart: boolean,
  ): Promise<IsolatedPage> {
    const session = isApart
      ? await browser.openOwnPage()
      : await browser.openPage();
    try {
      return await IsolatedPage.#seal(browser, session);
    } catch (error) {
      browser.closePage(session).catch(() => null);
      throw error;
    }
  }

  static async #seal(
    browser: BrowserProcess,
    session: PageSession,
  ): Promise<IsolatedPage> {
    // With print styles from the start, a print does not have to restyle the document.
    const media = browser.purpose === "print" ? "print" : "screen";
    const [{ frameTree }] = await withinTime(
      Promise.all([
        session.send("Page.getFrameTree"),
        session.send("Page.enable"),
        session.send("Emulation.setScriptExecutionDisabled", { value: true }),
        session.send("Emulation.setEmulatedMedia", { media }),
        session.send("Page.setFontFamilies", {
          fontFamilies: { ...GENERIC_FAMILIES },
        }),
      ]),
      OPEN_TIMEOUT_MS,
      "opening a page",
    );
    const page = new IsolatedPage(browser, session, frameTree.frame.id);
    await withinTime(
      page.#load(BASE_DOCUMENT),
      OPEN_TIMEOUT_MS,
      "opening a page",
    );
    return page;
  }

  get isLost(): boolean {
    return this.session.isLost;
  }

  /** Loads a document and waits until all of it is loaded. @throws PlatenError `render_failed`. */
  async write(html: string): Promise<void> {
    await this.#renewal;
    this.#written += 1;
    await this.#load(html.replace(HTTP_EQUIV, INERT_HTTP_EQUIV));
    // Fonts that only page margins use would otherwise load during the print, which is too late.
    if (HAS_FONT_FACES.test(html))
      await this.session.send("Runtime.evaluate", {
        expression:
          "Promise.allSettled(Array.from(document.fonts, (face) => face.load())).then(() => null)",
        awaitPromise: true,
      });
  }

  /**
   * Sets the width of the window, in CSS px, for the next documents as well. Prints use the page's width instead.
   */
  async setWindow(widthPx: number): Promise<void> {
    if (widthPx === this.#windowPx) return;
    this.#windowPx = widthPx;
    await this.session.send("Emulation.setDeviceMetricsOverride", {
      width: widthPx,
      height: WINDOW_HEIGHT,
      deviceScaleFactor: 1,
      mobile: false,
    });
  }

  send<M extends CdpMethod>(
    method: M,
    ...params: CdpParams<M>
  ): Promise<CdpResult<M>> {
    return this.session.send(method, ...params);
  }

  /** Called between two documents: frees memory periodically. Only the next document waits for it. */
  cleanUp(): void {
    if (this.#written < DOCUMENTS_BETWEEN_RENEWALS) return;
    this.#written = 0;
    this.#renewal = this.#renew();
    this.#renewal.catch(() => null);
  }

  /** The reason of a failure: a page that crashes first fails to print, and reports the crash later. */
  async diagnose(failure: unknown): Promise<unknown> {
    const isPossible =
      failure instanceof PlatenError && failure.code === "render_failed";
    if (!isPossible) return failure;
    const answer = this.session.send("Page.getLayoutMetrics");
    return withinTime(answer, PROBE_TIMEOUT_MS, "probing a page").then(
      () => failure,
      (cause: unknown) =>
        createCrashError("the page no longer responds", cause),
    );
  }

  close(): Promise<void> {
    return this.browser.closePage(this.session);
  }

  async #renew(): Promise<void> {
    const loaded = this.session.nextLoad();
    loaded.catch(() => null);
    await this.session.send("Page.navigate", { url: "about:blank" });
    await loaded;
    await this.#load(BASE_DOCUMENT);
    await this.session.send("HeapProfiler.collectGarbage");
  }

  async #load(html: string): Promise<void> {
    const { frameId, session } = this;
    const loaded = session.nextLoad();
    loaded.catch(() => null);
    await session.send("Page.setDocumentContent", { frameId, html });
    // Some content (`<use>` of another file) loads only at the first layout, which does not happen before a print.
    const nudge = setTimeout(
      () => void session.send("Page.getLayoutMetrics").catch(() => null),
      FORCE_LAYOUT_MS,
    );
    await loaded.finally(() => clearTimeout(nudge));
  }
}

const MAX_RETRY_AFTER_SECONDS = 60;
/** Weight of the earlier jobs in the moving average of job times. */
const PACE_SMOOTHING = 0.9;

/** What decides when a job gets a slot. */
interface SlotJob {
  deadline: Deadline;
  /** The organization whose job it is; jobs without one share a turn. */
  owner?: string | undefined;
}

interface WaitingJob {
  owner: string;
  start(slot: number): void;
  reject(error: PlatenError): void;
}

/**
 * A fixed number of slots that run one job each. Owners that wait get free slots in turn, the one with the fewest running
 * jobs first; while nobody else waits, one owner may use all slots. Jobs are not interrupted: one more slot is kept for
 * owners that have none while the jobs of another hold all or several of the slots.
 */
export class RenderSlots {
  readonly #free: number[];
  /** The number of the slot that is kept, while it is free. */
  #kept: number | null;
  readonly #running = new Map<string, number>();
  /** The waiting jobs of each owner; the owner that was served last comes last. */
  readonly #waiting = new Map<string, WaitingJob[]>();
  readonly #onIdle: (() => void)[] = [];
  #queued = 0;
  #busy = 0;
  #averageMs = 50;

  /** @param maxWaiting jobs in the queue; when it is full, the owner with the most jobs in it loses its latest one. */
  constructor(
    private readonly slots: number,
    private readonly maxWaiting: number,
  ) {
    this.#free = Array.from({ length: slots }, (_, index) => index);
    this.#kept = slots;
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
   * @throws PlatenError `busy` when the queue is full, `timeout` when the deadline passes in the queue.
   */
  async run<T>(
    { deadline, owner = "" }: SlotJob,
    work: (slot: number) => Promise<T>,
  ): Promise<T> {
    deadline.check("it waited for a free page");
    const slot =
      this.#takeSlot(owner) ?? (await this.#waitForSlot(owner, deadline));
    const started = performance.now();
    try {
      return await work(slot);
    } finally {
      const tookMs = performance.now() - started;
      this.#averageMs =
        this.#averageMs * PACE_SMOOTHING + tookMs * (1 - PACE_SMOOTHING);
      this.#release(owner, slot);
    }
  }

  /** Resolves when no job runs and none waits. */
  idle(): Promise<void> {
    if (this.busy === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle.push(resolve);
    });
  }

  async #waitForSlot(owner: string, deadline: Deadline): Promise<number> {
    if (this.#queued >= this.maxWaiting) this.#makeRoomFor(owner);
    let job: WaitingJob | undefined;
    const turn = new Promise<number>((start, reject) => {
      job = { owner, start, reject };
      this.#enqueue(job);
    });
    try {
      return await withinDeadline(turn, deadline, "it waited for a free page");
    } catch (error) {
      if (!job || !this.#dequeue(job))
        void turn.then(
          (slot) => this.#release(owner, slot),
          () => null,
        );
      throw error;
    }
  }

  /** Null when there is none that the owner may have. */
  #takeSlot(owner: string): number | null {
    const slot =
      this.#free.shift() ?? (this.#mayHaveKept(owner) ? this.#kept : null);
    if (slot === null) return null;
    if (slot === this.#kept) this.#kept = null;
    this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1);
    this.#busy += 1;
    return slot;
  }

  #mayHaveKept(owner: string): boolean {
    if (this.#kept === null || this.#running.has(owner)) return false;
    const several = Math.min(this.slots, 2);
    for (const count of this.#running.values())
      if (count >= several) return true;
    return false;
  }

  #release(owner: string, slot: number): void {
    const others = (this.#running.get(owner) ?? 0) - 1;
    if (others > 0) this.#running.set(owner, others);
    else this.#running.delete(owner);
    this.#busy -= 1;
    if (slot === this.slots) this.#kept = slot;
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
      (a, b) => (this.#running.get(a) ?? 0) - (this.#running.get(b) ?? 0),
    );
    for (const owner of owners) {
      const slot = this.#takeSlot(owner);
      if (slot === null) continue;
      const [job] = this.#waiting.get(owner) ?? [];
      if (job) this.#dequeue(job);
      const rest = this.#waiting.get(owner);
      if (rest) {
        this.#waiting.delete(owner);
        this.#waiting.set(owner, rest);
      }
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

  /** The queue is shared: whoever has the most jobs in it waits no longer with the latest of them. */
  #makeRoomFor(owner: string): void {
    const own = this.#waiting.get(owner)?.length ?? 0;
    let latest: WaitingJob | undefined;
    let most = own + 1;
    for (const jobs of this.#waiting.values())
      if (jobs.length > most) [latest, most] = [jobs.at(-1), jobs.length];
    if (!latest) throw this.#queueFull();
    this.#dequeue(latest);
    latest.reject(this.#queueFull());
  }

  #queueFull(): PlatenError {
    const seconds =
      (this.#averageMs * (this.maxWaiting + 1)) / this.slots / 1000;
    return new PlatenError(
      "busy",
      `All pages are printing and ${this.maxWaiting} documents are already waiting. Try again a little later.`,
      {
        retryAfterSeconds: Math.min(
          MAX_RETRY_AFTER_SECONDS,
          Math.max(1, Math.ceil(seconds)),
        ),
      },
    );
  }
}
