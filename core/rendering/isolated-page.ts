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
  type CdpSession,
} from "./browser/cdp.js";
import { withinTime } from "./time-limit.js";
import { GENERIC_FAMILIES } from "./fonts/font-families.js";

/**
 * The first document of a page. A policy stays in force for all that is written into the page later, so this one
 * line is the page's own wall against the network, at no cost for each document.
 */
const BASE_DOCUMENT =
  "<!doctype html><meta http-equiv='Content-Security-Policy' content=\"" +
  "default-src 'none'; img-src data:; font-src data:; media-src data:; " +
  "style-src 'unsafe-inline' data:\">";

/**
 * The hyphen of the attribute that makes a `<meta>` act. A policy would outlive its document, and a refresh lead the page
 * away from it: another one would be printed, and whoever has it drawn meanwhile gets no answer from Chromium at all.
 */
const HTTP_EQUIV = /([\s/"']http)-(?=equiv\s*=)/gi;
/** The same hyphen wherever text stands; but the name of an attribute becomes one that nothing knows. */
const INERT_HTTP_EQUIV = "$1&#45;";

const HAS_FONT_FACES = /@font-face/i;

const WINDOW_HEIGHT = 100;
const OPEN_TIMEOUT_MS = 10_000;
const FORCE_LAYOUT_MS = 100;
const PROBE_TIMEOUT_MS = 1_000;

/** A blank page keeps some 20 kB of every document that was written into it until it is loaded anew. */
const DOCUMENTS_BETWEEN_RENEWALS = 50;

/** A page that takes one document after the other: no scripts, no network, nothing kept between two documents. */
export class IsolatedPage {
  #written = 0;
  #renewal: Promise<void> = Promise.resolve();
  #windowPx = 0;
  #isSpent = false;

  private constructor(
    readonly browser: BrowserProcess,
    private readonly session: CdpSession,
    private readonly frameId: string,
  ) {}

  /** @param isApart with storage and caches of its own, which go with it */
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
    session: CdpSession,
  ): Promise<IsolatedPage> {
    const media = mediaOf(browser.purpose);
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

  /** True when it would draw the next document otherwise than a fresh page. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** To be called by whoever changes it in a way that cannot be taken back. */
  spend(): void {
    this.#isSpent = true;
  }

  /** Writes a document and waits until all of it is there. @throws PlatenError `render_failed`. */
  async write(html: string): Promise<void> {
    await this.#renewal;
    this.#written += 1;
    await this.#load(html.replace(HTTP_EQUIV, INERT_HTTP_EQUIV));
    if (HAS_FONT_FACES.test(html)) await this.#loadFonts();
  }

  /**
   * Sets the width of the window, in CSS px, for the documents to come as well. It is nothing to a print, which asks
   * for its page alone; but layouts that are not printed are as wide.
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

  /** Between two documents: gives memory back now and then. Only the next document waits for it. */
  rest(): void {
    if (this.#written < DOCUMENTS_BETWEEN_RENEWALS) return;
    this.#written = 0;
    this.#renewal = this.#renew();
    this.#renewal.catch(() => null);
  }

  /** Of a failure, the reason: a page that crashes says first that it could not print, and only then why. */
  async reasonOf(failure: unknown): Promise<unknown> {
    const isPossible =
      failure instanceof PlatenError && failure.code === "render_failed";
    if (!isPossible) return failure;
    const answer = this.session.send("Page.getLayoutMetrics");
    return withinTime(answer, PROBE_TIMEOUT_MS, "a page was asked").then(
      () => failure,
      (cause: unknown) =>
        createCrashError("it does not answer any more", cause),
    );
  }

  close(): Promise<void> {
    return this.browser.closePage(this.session);
  }

  async #renew(): Promise<void> {
    const loaded = this.session.next("Page.loadEventFired");
    loaded.catch(() => null);
    await this.session.send("Page.navigate", { url: "about:blank" });
    await loaded;
    await this.#load(BASE_DOCUMENT);
    await this.session.send("HeapProfiler.collectGarbage");
  }

  /** A font that only a page's margin uses is first asked for while it prints, which is too late. */
  async #loadFonts(): Promise<void> {
    await this.session.send("Runtime.evaluate", {
      expression:
        "Promise.allSettled(Array.from(document.fonts, (face) => face.load())).then(() => null)",
      awaitPromise: true,
    });
  }

  async #load(html: string): Promise<void> {
    const { frameId, session } = this;
    const loaded = session.next("Page.loadEventFired");
    loaded.catch(() => null);
    await session.send("Page.setDocumentContent", { frameId, html });
    const nudge = setTimeout(() => this.#layOut(), FORCE_LAYOUT_MS);
    await loaded.finally(() => clearTimeout(nudge));
  }

  /** Some contents (`<use>` of another file) load at the first layout only, which a browser that prints never makes. */
  #layOut(): void {
    this.session.send("Page.getLayoutMetrics").catch(() => null);
  }
}

/** With the styles for print in force from the start, a print need not style the document a second time. */
function mediaOf(purpose: BrowserPurpose): string {
  return purpose === "print" ? "print" : "screen";
}
