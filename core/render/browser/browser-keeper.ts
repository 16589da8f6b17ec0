import { PlatenError, type Log } from "../../contract/index.js";
import type { SandboxSetting } from "../settings.js";
import type { RestartReason } from "../stats.js";
import { sum } from "../sum.js";
import type { BrowserPurpose } from "./browser-flags.js";
import type { BrowserHome } from "./browser-home.js";
import type { BrowserProcess } from "./browser-process.js";
import { launchBrowser } from "./launch-browser.js";

/** A browser that dies sooner than this after its start is started again only when somebody needs it. */
const HEALTHY_MS = 5_000;

/** Keeps one browser alive: launches it, launches another when it dies, replaces it on demand. */
export class BrowserKeeper {
  #live: BrowserProcess | null = null;
  #starting: Promise<BrowserProcess> | null = null;
  readonly #launches = new Set<Promise<unknown>>();
  readonly #running = new Set<BrowserProcess>();
  #isStopped = false;
  readonly #restarts: Record<RestartReason, number> = {
    died: 0,
    hung: 0,
    memory: 0,
  };
  #trouble: string | null = null;

  constructor(
    private readonly home: BrowserHome,
    private readonly purpose: BrowserPurpose,
    private readonly sandbox: SandboxSetting,
    private readonly log: Log,
  ) {}

  /** How many browsers were replaced. */
  get restarts(): Readonly<Record<RestartReason, number>> {
    return this.#restarts;
  }

  /** Memory of all its browsers, retiring ones too, in MB; null when none runs. */
  async pssMb(): Promise<number | null> {
    const sizes = await Promise.all(
      [...this.#running].map((browser) => browser.pssMb()),
    );
    const known = sizes.filter((size) => size !== null);
    return known.length === 0 ? null : sum(known);
  }

  /** The browser that new jobs get, if one runs. */
  get live(): BrowserProcess | null {
    return this.#live?.hasEnded ? null : this.#live;
  }

  /** Why the last start failed. */
  get trouble(): string | null {
    return this.#trouble;
  }

  /** The browser, launched when there is none. @throws PlatenError `unavailable` when none comes up. */
  async browser(): Promise<BrowserProcess> {
    if (this.live) return this.live;
    this.#starting ??= this.#launch();
    try {
      return await this.#starting;
    } finally {
      this.#starting = null;
    }
  }

  /** Starts a fresh browser for the jobs to come, as memory asks for it; the old one ends when its last job is done. */
  async replace(): Promise<void> {
    const old = this.live;
    await this.#launch();
    this.#restarts.memory += 1;
    old?.retire();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#launches);
    await Promise.all([...this.#running].map((browser) => browser.stop()));
  }

  #launch(): Promise<BrowserProcess> {
    const launch = this.#start();
    const settled = launch.catch(() => null);
    this.#launches.add(settled);
    void settled.then(() => this.#launches.delete(settled));
    return launch;
  }

  async #start(): Promise<BrowserProcess> {
    const { home, purpose, sandbox, log } = this;
    if (this.#isStopped) throw stoppedError();
    try {
      const browser = await launchBrowser(home, purpose, sandbox, log);
      this.#trouble = null;
      this.#live = browser;
      this.#running.add(browser);
      const started = Date.now();
      void browser.ended.then(() => this.#noticeEnd(browser, started));
      return browser;
    } catch (error) {
      this.#trouble = error instanceof Error ? error.message : String(error);
      throw error;
    }
  }

  #noticeEnd(browser: BrowserProcess, started: number): void {
    this.#running.delete(browser);
    if (this.#live === browser) this.#live = null;
    if (browser.isStopping || this.#isStopped) return;
    const reason = browser.hasHung ? "hung" : "died";
    this.#restarts[reason] += 1;
    this.log.warn({ pid: browser.pid, reason }, "the browser ended unasked");
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
