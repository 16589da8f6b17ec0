import { PlatenError } from "../plugin-api/index.js";
import type {
  BrowserPurpose,
  BrowserProcess,
} from "./browser/browser-process.js";
import {
  createCrashError,
  type CdpMethod,
  type CdpParams,
  type CdpResult,
  type PageSession,
} from "./browser/cdp.js";
import { withinTime } from "./time-limit.js";
import { GENERIC_FAMILIES } from "./fonts/font-families.js";

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
  #isAltered = false;

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
    const media = getMedia(browser.purpose);
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

  /** True when it would draw the next document differently from a new page. */
  get isAltered(): boolean {
    return this.#isAltered;
  }

  /** Called after changes to the page that cannot be undone. */
  markAltered(): void {
    this.#isAltered = true;
  }

  /** Loads a document and waits until all of it is loaded. @throws PlatenError `render_failed`. */
  async write(html: string): Promise<void> {
    await this.#renewal;
    this.#written += 1;
    await this.#load(html.replace(HTTP_EQUIV, INERT_HTTP_EQUIV));
    if (HAS_FONT_FACES.test(html)) await this.#loadFonts();
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

  /** Fonts that only page margins use would otherwise load during the print, which is too late. */
  async #loadFonts(): Promise<void> {
    await this.session.send("Runtime.evaluate", {
      expression:
        "Promise.allSettled(Array.from(document.fonts, (face) => face.load())).then(() => null)",
      awaitPromise: true,
    });
  }

  async #load(html: string): Promise<void> {
    const { frameId, session } = this;
    const loaded = session.nextLoad();
    loaded.catch(() => null);
    await session.send("Page.setDocumentContent", { frameId, html });
    const nudge = setTimeout(() => this.#layOut(), FORCE_LAYOUT_MS);
    await loaded.finally(() => clearTimeout(nudge));
  }

  /** Some content (`<use>` of another file) loads only at the first layout, which does not happen before a print. */
  #layOut(): void {
    this.session.send("Page.getLayoutMetrics").catch(() => null);
  }
}

/** With print styles from the start, a print does not have to restyle the document. */
function getMedia(purpose: BrowserPurpose): string {
  return purpose === "print" ? "print" : "screen";
}
