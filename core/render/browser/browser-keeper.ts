import { PlatenError, type Log } from "../../contract/index.js";
import type { SandboxSetting } from "../settings.js";
import type { BrowserPurpose } from "./browser-flags.js";
import type { BrowserHome } from "./browser-home.js";
import type { BrowserProcess } from "./browser-process.js";
import { launchBrowser } from "./launch-browser.js";

/** A browser that dies sooner than this after its start is started again only when somebody needs it. */
const HEALTHY_MS = 5_000;

/** Keeps one browser alive: launches it, launches another when it dies, replaces it on demand. */
export class BrowserKeeper {
  #current: Promise<BrowserProcess> | null = null;
  readonly #launches = new Set<Promise<BrowserProcess>>();
  readonly #running = new Set<BrowserProcess>();
  #isStopped = false;
  #restarts = 0;
  #trouble: string | null = null;

  constructor(
    private readonly home: BrowserHome,
    private readonly purpose: BrowserPurpose,
    private readonly sandbox: SandboxSetting,
    private readonly log: Log,
  ) {}

  /** How many browsers died unasked. */
  get restarts(): number {
    return this.#restarts;
  }

  /** The newest running browser. */
  get live(): BrowserProcess | null {
    return [...this.#running].at(-1) ?? null;
  }

  /** Why the last start failed. */
  get trouble(): string | null {
    return this.#trouble;
  }

  /** The browser, launched when there is none. @throws PlatenError `unavailable` when none comes up. */
  browser(): Promise<BrowserProcess> {
    this.#current ??= this.#launch();
    return this.#current;
  }

  /** Starts a fresh browser for the jobs to come; the old one ends when its last job is done. */
  async replace(): Promise<void> {
    const old = await this.browser();
    const fresh = this.#launch();
    await fresh;
    this.#current = fresh;
    old.retire();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.allSettled(this.#launches);
    await Promise.all([...this.#running].map((browser) => browser.stop()));
  }

  #launch(): Promise<BrowserProcess> {
    const launch = this.#start();
    this.#launches.add(launch);
    const done = () => this.#launches.delete(launch);
    launch.then(done, done);
    return launch;
  }

  async #start(): Promise<BrowserProcess> {
    const { home, purpose, sandbox, log } = this;
    try {
      if (this.#isStopped) throw stoppedError();
      const browser = await launchBrowser(home, purpose, sandbox, log);
      this.#trouble = null;
      this.#running.add(browser);
      const started = Date.now();
      void browser.ended.then(() => this.#noticeEnd(browser, started));
      return browser;
    } catch (error) {
      this.#trouble = error instanceof Error ? error.message : String(error);
      this.#current = null;
      throw error;
    }
  }

  #noticeEnd(browser: BrowserProcess, started: number): void {
    const wasLive = this.live === browser;
    this.#running.delete(browser);
    if (wasLive) this.#current = null;
    if (browser.isStopping || this.#isStopped) return;
    this.#restarts += 1;
    this.log.warn({ pid: browser.pid }, "the browser died; starting another");
    if (Date.now() - started < HEALTHY_MS) return;
    this.browser().catch((error: unknown) =>
      this.log.error({ err: error }, "no browser could be started"),
    );
  }
}

function stoppedError(): PlatenError {
  return new PlatenError(
    "unavailable",
    "The service is shutting down and prints no more. Try again in a moment.",
  );
}
