import { clock, type Timer } from "../../lib/clock.js";
import { PlatenError, type Log } from "../../plugin-api/index.js";
import type { BrowserInstallation } from "./browser-installation.js";
import {
  type BrowserProcess,
  type LaunchSettings,
  launchBrowser,
} from "./browser.js";

/** A browser that ends earlier than this after its start is not restarted immediately. */
const HEALTHY_MS = 5_000;

/** A start that takes longer is reported as a problem. */
const SLOW_START_MS = 5_000;

/** Between two attempts to start a browser; doubles with each. */
const MIN_RETRY_MS = 500;
const MAX_RETRY_MS = 15_000;

const CRASHED_AT_START =
  "The browser that prints documents ends right after its start. See its last output in the log.";
const SLOW_START =
  "The browser that prints documents is slow to start. If this continues, check PUPPETEER_EXECUTABLE_PATH.";

/** Why a browser was replaced: it `died`, it `hung` and was killed, or its `memory` had grown past the limit. */
export type RestartReason = "died" | "hung" | "memory";

interface SupervisorOptions extends LaunchSettings {
  /** Installs missing files again; called before every start. */
  install: () => Promise<BrowserInstallation>;
  /** Rejects when the browser started but does not work. */
  selfTest: (browser: BrowserProcess) => Promise<void>;
}

/**
 * Keeps one browser running: launches it, relaunches it when it dies, replaces it on demand. Failed launches are retried
 * with increasing delays.
 */
export class BrowserSupervisor {
  #live: BrowserProcess | null = null;
  #starting: Promise<BrowserProcess> | null = null;
  #startingSince = 0;
  readonly #launches = new Set<Promise<unknown>>();
  readonly #running = new Set<BrowserProcess>();
  #retryTimer: Timer | undefined;
  #retryMs = MIN_RETRY_MS;
  #isStopped = false;
  /** Replaced browsers by reason. */
  readonly restarts: Record<RestartReason, number> = {
    died: 0,
    hung: 0,
    memory: 0,
  };
  #trouble: string | null = null;

  constructor(private readonly parts: SupervisorOptions) {}

  /** Memory of all its browsers, retiring ones too, in MB; null when none runs. */
  async pssMb(): Promise<number | null> {
    const sizes = await Promise.all(
      [...this.#running].map((browser) => browser.pssMb()),
    );
    const measured = sizes.filter((size) => size !== null);
    return measured.length === 0
      ? null
      : measured.reduce((total, size) => total + size, 0);
  }

  /** The browser that new jobs get, if one runs. */
  get live(): BrowserProcess | null {
    return this.#live?.hasEnded ? null : this.#live;
  }

  /** Why no browser is available; null when one runs, none was needed yet, or the next is starting. */
  get trouble(): string | null {
    if (this.live) return null;
    const isLong =
      this.#starting !== null &&
      clock.now() - this.#startingSince > SLOW_START_MS;
    return this.#trouble ?? (isLong ? SLOW_START : null);
  }

  /** The running browser, launched if necessary. @throws PlatenError `unavailable` when it does not start. */
  async browser(): Promise<BrowserProcess> {
    if (this.live) return this.live;
    if (!this.#starting) {
      this.#startingSince = clock.now();
      this.#starting = this.#launch();
    }
    try {
      return await this.#starting;
    } finally {
      this.#starting = null;
    }
  }

  /** Starts a new browser for the next jobs, to free memory; the old one ends after its last job. */
  async replace(): Promise<void> {
    const old = this.live;
    await this.#launch();
    this.restarts.memory += 1;
    old?.retire();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#retryTimer?.cancel();
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
    if (this.#isStopped)
      throw new PlatenError(
        "unavailable",
        "The service is shutting down and accepts no more documents. Try again in a moment.",
      );
    try {
      const browser = await this.#provenBrowser();
      this.#trouble = null;
      this.#live = browser;
      this.#running.add(browser);
      const started = clock.now();
      void browser.ended.then(() => this.#noticeEnd(browser, started));
      return browser;
    } catch (error) {
      this.#trouble = error instanceof Error ? error.message : String(error);
      throw error;
    }
  }

  async #provenBrowser(): Promise<BrowserProcess> {
    const installation = await this.parts.install();
    const browser = await launchBrowser(installation, this.parts);
    try {
      await this.parts.selfTest(browser);
      return browser;
    } catch (error) {
      await browser.stop();
      throw error;
    }
  }

  #noticeEnd(browser: BrowserProcess, started: number): void {
    this.#running.delete(browser);
    if (this.#live === browser) this.#live = null;
    if (browser.isStopping || this.#isStopped) return;
    const reason = browser.hasHung ? "hung" : "died";
    this.restarts[reason] += 1;
    this.parts.log.warn(
      { pid: browser.pid, reason, output: browser.lastOutput },
      "the browser ended unexpectedly",
    );
    const isHealthy = clock.now() - started >= HEALTHY_MS;
    if (isHealthy) this.#retryMs = MIN_RETRY_MS;
    else this.#trouble = CRASHED_AT_START;
    this.#relaunch(isHealthy ? 0 : this.#nextRetryMs());
  }

  /** Retries until a browser starts. */
  #relaunch(delayMs: number): void {
    if (this.#isStopped) return;
    this.#retryTimer?.cancel();
    const launch = () =>
      this.browser().catch((error: unknown) => {
        const waitMs = this.#nextRetryMs();
        this.parts.log.error(
          { err: error, waitMs },
          "failed to start a browser",
        );
        this.#relaunch(waitMs);
      });
    this.#retryTimer = clock.after(delayMs, () => void launch()).unref();
  }

  #nextRetryMs(): number {
    const waitMs = this.#retryMs;
    this.#retryMs = Math.min(MAX_RETRY_MS, waitMs * 2);
    return waitMs;
  }
}

/** A check takes 20 ms of processor time. */
const DOCUMENTS_BETWEEN_CHECKS = 200;
const CHARACTERS_BETWEEN_CHECKS = 10_000_000;

/** Checks the browser's memory periodically and replaces the browser when it exceeds its limit. */
export class MemoryMonitor {
  #documents = 0;
  #characters = 0;
  #isLooking = false;
  /** Memory of the browser's process tree at the last check, in MB. */
  lastPssMb: number | undefined;

  constructor(
    private readonly supervisor: BrowserSupervisor,
    private readonly limitMb: number,
    private readonly log: Log,
  ) {}

  /** Called after each document; a long one triggers a check immediately. */
  note(html: string, isLong: boolean): void {
    this.#documents += 1;
    this.#characters += html.length;
    const isDue =
      isLong ||
      this.#documents >= DOCUMENTS_BETWEEN_CHECKS ||
      this.#characters >= CHARACTERS_BETWEEN_CHECKS;
    if (!isDue || this.#isLooking) return;
    this.#documents = 0;
    this.#characters = 0;
    this.#isLooking = true;
    this.#look()
      .catch((error: unknown) =>
        this.log.warn({ err: error }, "failed to replace the browser"),
      )
      .finally(() => {
        this.#isLooking = false;
      });
  }

  async #look(): Promise<void> {
    const pssMb = await this.supervisor.live?.pssMb();
    if (pssMb === null || pssMb === undefined) return;
    this.lastPssMb = pssMb;
    if (pssMb <= this.limitMb) return;
    this.log.info({ pssMb, limitMb: this.limitMb }, "replacing the browser");
    await this.supervisor.replace();
  }
}
