import { rm } from "node:fs/promises";
import { PlatenError } from "../../plugin-api/index.js";
import { withinTime } from "../time-limit.js";
import { browserFlags, type BrowserPurpose } from "./browser-flags.js";
import type { BrowserHome } from "./browser-home.js";
import type {
  CdpEvent,
  CdpMethod,
  CdpParams,
  CdpPipe,
  CdpResult,
} from "./cdp-pipe.js";
import { CdpSession } from "./cdp-session.js";
import { endTree, killGroup, rememberTree } from "./end-processes.js";
import { makeOwnedFolder } from "./owned-folder.js";
import { treePssMb } from "./process-tree.js";
import { spawnBrowser, type SpawnedBrowser } from "./spawn-browser.js";

const ANSWER_MS = 5_000;
const GRACE_MS = 2_000;

export interface LaunchTerms {
  purpose: BrowserPurpose;
  isSandboxed: boolean;
  /** The most that one of its processes may take, in MB. */
  pageMemoryMb: number;
  /** How long it may take to answer for the first time. */
  startMs: number;
}

/** One running Chromium with its profile folder. It never outlives this process: see `CdpPipe`. */
export class BrowserProcess {
  /** Settles when the process is gone. */
  readonly ended: Promise<void>;
  readonly #pipe: CdpPipe;
  readonly #pages = new Map<string, CdpSession>();
  /** Pages that have cookies, storage and caches of their own, by session, with what these are kept in. */
  readonly #contexts = new Map<string, string>();
  #version = "";
  /** The page that every browser starts with, until somebody takes it. */
  #firstPage: string | null = null;
  #isStopping = false;
  #hasHung = false;
  #isRetired = false;
  #jobs = 0;

  private constructor(
    private readonly spawned: SpawnedBrowser,
    private readonly profile: string,
    readonly purpose: BrowserPurpose,
    readonly isSandboxed: boolean,
  ) {
    this.#pipe = spawned.pipe;
    this.#pipe.listen(undefined, (event) => this.#hear(event));
    this.ended = spawned.exited.then(() => this.#bury());
  }

  /** @throws Error, with Chromium's own last words, when it does not come up. */
  static async launch(
    home: BrowserHome,
    { purpose, isSandboxed, pageMemoryMb, startMs }: LaunchTerms,
  ): Promise<BrowserProcess> {
    const profile = await makeOwnedFolder(home.profiles, "profile");
    const flags = await browserFlags(purpose, profile, isSandboxed);
    const spawned = await spawnBrowser(
      home,
      profile,
      flags,
      pageMemoryMb,
    ).catch(async (error: unknown) => {
      await rm(profile, { recursive: true, force: true });
      throw error;
    });
    const browser = new BrowserProcess(spawned, profile, purpose, isSandboxed);
    try {
      await browser.#greet(startMs);
      return browser;
    } catch (error) {
      await browser.stop();
      throw new Error(spawned.lastWords() || "no answer", { cause: error });
    }
  }

  get version(): string {
    return this.#version;
  }

  get pid(): number {
    return this.spawned.pid;
  }

  /** True as soon as it can be of no more use; `ended` may come a moment later. */
  get hasEnded(): boolean {
    return this.#pipe.isClosed;
  }

  /** True when its end was asked for. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** True when it was killed because it did not answer. */
  get hasHung(): boolean {
    return this.#hasHung;
  }

  /** The last that it said on its way. */
  get lastWords(): string {
    return this.spawned.lastWords();
  }

  /** Counts a job that must not lose this browser to `retire`. */
  beginJob(): void {
    this.#jobs += 1;
  }

  endJob(): void {
    this.#jobs -= 1;
    if (this.#isRetired) this.retire();
  }

  /** Stops as soon as no job uses it. */
  retire(): void {
    this.#isRetired = true;
    if (this.#jobs === 0) void this.stop();
  }

  /** A blank page, in a renderer process of its own. */
  async openPage(): Promise<CdpSession> {
    const targetId = this.#firstPage ?? (await this.#createPage());
    this.#firstPage = null;
    return this.#attach(targetId);
  }

  /** A blank page that shares nothing with any other: its storage, caches and process go when it is closed. */
  async openOwnPage(): Promise<CdpSession> {
    const { browserContextId } = await this.#ask(
      "Target.createBrowserContext",
      { disposeOnDetach: true },
    );
    const targetId = await this.#createPage(browserContextId);
    const page = await this.#attach(targetId);
    this.#contexts.set(page.sessionId, browserContextId);
    return page;
  }

  /** Ends a page whatever it does; its renderer process goes with it. */
  async closePage({ sessionId, targetId }: CdpSession): Promise<void> {
    const browserContextId = this.#contexts.get(sessionId);
    this.#losePage(sessionId, "the page was closed");
    if (this.hasEnded) return;
    if (browserContextId === undefined)
      await this.#ask("Target.closeTarget", { targetId });
    else await this.#ask("Target.disposeBrowserContext", { browserContextId });
  }

  pssMb(): Promise<number | null> {
    return treePssMb(this.pid);
  }

  /** Asks it to go, then makes it; when this returns, no process and no folder is left. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const tree = await rememberTree(this.pid);
    this.#pipe.send("Browser.close", undefined).catch(ignore);
    await withinTime(this.ended, GRACE_MS, "closing").catch(ignore);
    killGroup(this.pid);
    await this.ended;
    await endTree(tree);
    await rm(this.profile, { recursive: true, force: true });
  }

  async #greet(startMs: number): Promise<void> {
    const answers = Promise.all([
      this.#pipe.send("Browser.getVersion", undefined),
      this.#pipe.send("Target.getTargets", {}),
    ]);
    const [{ product }, { targetInfos }] = await withinTime(
      answers,
      startMs,
      "starting",
    );
    this.#version = product;
    const first = targetInfos.find(({ type }) => type === "page");
    this.#firstPage = first?.targetId ?? null;
  }

  async #createPage(browserContextId?: string): Promise<string> {
    const place = browserContextId === undefined ? {} : { browserContextId };
    const params = { url: "about:blank", ...place };
    return (await this.#ask("Target.createTarget", params)).targetId;
  }

  async #attach(targetId: string): Promise<CdpSession> {
    const { sessionId } = await this.#ask("Target.attachToTarget", {
      targetId,
      flatten: true,
    });
    const page = new CdpSession(this.#pipe, sessionId, targetId);
    this.#pages.set(sessionId, page);
    return page;
  }

  /** A browser that does not answer for its own affairs is of no use to anybody: it is killed, and then replaced. */
  async #ask<M extends CdpMethod>(
    method: M,
    params: CdpParams<M>[0],
  ): Promise<CdpResult<M>> {
    const answer = this.#pipe.send(method, params);
    try {
      return await withinTime(answer, ANSWER_MS, method);
    } catch (error) {
      if (error instanceof PlatenError && error.code === "unavailable") {
        this.#hasHung = true;
        killGroup(this.pid);
      }
      throw error;
    }
  }

  #hear({ method, params }: CdpEvent): void {
    if (method === "Target.detachedFromTarget" && params.sessionId)
      this.#losePage(params.sessionId, "the page is gone");
  }

  #losePage(sessionId: string, reason: string): void {
    this.#pages.get(sessionId)?.lose(reason);
    this.#pages.delete(sessionId);
    this.#contexts.delete(sessionId);
  }

  async #bury(): Promise<void> {
    this.#pipe.close("the browser ended");
    for (const id of this.#pages.keys())
      this.#losePage(id, "the browser ended");
    killGroup(this.pid);
    await rm(this.profile, { recursive: true, force: true });
  }
}

function ignore(): void {
  // Whether it answered makes no difference: it is ended in any case.
}
