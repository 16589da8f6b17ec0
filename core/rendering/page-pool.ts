import { clock } from "../lib/clock.js";
import { FairQueue } from "../lib/fair-queue.js";
import { withinDeadline } from "../lib/race-with-abort.js";
import { PlatenError, type Deadline, type Log } from "../plugin-api/index.js";
import type { BrowserSupervisor } from "./browser/browser-supervisor.js";
import { type BrowserProcess, withinTime } from "./browser/browser.js";
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

/** What errors say of jobs that wait for a page or a drawing thread. */
export const RENDER_QUEUE = {
  what: "a free page",
  busy: "All pages are printing and {waiting} documents are already waiting. Try again a little later.",
};

/** A fixed number of pages, and one that is opened when it is first needed, with one queue of jobs: see `FairQueue`. */
export class PagePool {
  readonly #queue: FairQueue;
  readonly #slots: PageSlot[];

  constructor(
    supervisor: BrowserSupervisor,
    pages: number,
    queueLimit: number,
    settings: SlotSettings,
  ) {
    this.#queue = new FairQueue(pages, {
      ...RENDER_QUEUE,
      maxWaiting: queueLimit,
    });
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
      // The browser may have been replaced while the page was opened.
      if (open.ownership.allows(owner) && !open.page.browser.isRetired)
        return open;
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
  const grace = new Promise<boolean>((resolve) => {
    clock.limit(EXIT_GRACE_MS, () => resolve(false));
  });
  return Promise.race([success, grace]);
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

/**
 * In a window of this width, documents are not laid out, so that printing one lays it out once instead of three times: in
 * the window, on its pages, and in the window again. What it shows of `data:` URLs loads during the print. A print does not
 * depend on the window, but on the width of its pages.
 */
export const HIDING_PX = 1;
const HIDING_STYLE = `<style>@media (max-width:${HIDING_PX}px){html{display:none!important}}</style>`;
const HEAD = /<head\b[^>]*>/i;

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
    // Here, and not with the first document, because a page that crashes during this command ends the whole browser.
    if (browser.purpose === "print")
      await withinTime(
        page.setWindow(HIDING_PX),
        OPEN_TIMEOUT_MS,
        "opening a page",
      );
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
    const inert = html.replace(HTTP_EQUIV, INERT_HTTP_EQUIV);
    await this.#load(inert.replace(HEAD, (head) => head + HIDING_STYLE));
    // Fonts that only page margins use would otherwise load during the print, which is too late.
    if (HAS_FONT_FACES.test(html))
      await this.session.send("Runtime.evaluate", {
        expression:
          "Promise.allSettled(Array.from(document.fonts, (face) => face.load())).then(() => null)",
        awaitPromise: true,
      });
  }

  /**
   * Sets the width of the window, in CSS px, for the next documents as well; with `HIDING_PX`, they are only laid out to be
   * printed. Prints use the page's width instead.
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
    const nudge = clock.limit(
      FORCE_LAYOUT_MS,
      () => void session.send("Page.getLayoutMetrics").catch(() => null),
    );
    await loaded.finally(() => nudge.cancel());
  }
}
