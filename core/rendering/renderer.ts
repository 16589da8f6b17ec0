import { accessSync, constants, mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Config } from "../../config/index.js";
import { FairQueue } from "../lib/fair-queue.js";
import type { PackageInfo } from "../lib/package-info.js";
import { PlatenError, type Log, type Deadline } from "../plugin-api/index.js";
import { createToken, provide } from "../lib/injection.js";
import { CONFIG, LOG, PACKAGE } from "../lib/process-values.js";
import { installBrowser } from "./browser/browser-installation.js";
import {
  type BrowserProcess,
  type SandboxSetting,
  withinTime,
} from "./browser/browser.js";
import {
  BrowserSupervisor,
  type RestartReason,
} from "./browser/browser-supervisor.js";
import { readCoverage } from "./fonts/character-set.js";
import { drawPageImages, Rasterizer } from "./images/page-images.js";
import { Screenshotter } from "./images/screenshots.js";
import type {
  ImagesJob,
  PageImage,
  PdfJob,
  PrintedPdf,
  Screenshot,
  ScreenshotJob,
} from "./jobs.js";
import { IsolatedPage, type Isolation, RENDER_QUEUE } from "./page-pool.js";
import { countPages, embedsFont, printPage, Printer } from "./print/printer.js";

export const RENDERER = createToken<Renderer>("Renderer");
provide(RENDERER, (c) =>
  createConfiguredRenderer(
    c.resolve(CONFIG),
    c.resolve(PACKAGE),
    c.resolve(LOG),
  ),
);
/** The same renderer, with a limited number of jobs at a time, so that requests are served between those of batches. */
export const BACKGROUND_RENDERER = createToken<Renderer>("background Renderer");
provide(BACKGROUND_RENDERER, (c) =>
  limitJobs(c.resolve(RENDERER), c.resolve(CONFIG).render.pages + 1),
);

/** Prints and draws documents; owns every Chromium process of the service. */
export interface Renderer {
  /**
   * Unpacks missing files, launches the browser and prints a test page; further calls have no effect.
   * @param onBrowserStart called when the browser answers, before its test
   * @throws PlatenError `unavailable` when no usable browser is found.
   */
  start(onBrowserStart?: () => void): Promise<void>;
  /** @throws PlatenError `too_large`, `busy`, `timeout`, `crashed`, `render_failed` or `unavailable`. */
  pdf(job: PdfJob): Promise<PrintedPdf>;
  /** @throws PlatenError as `pdf`, and `invalid_request` for pages that the document does not have. */
  images(job: ImagesJob): Promise<PageImage[]>;
  /** @throws PlatenError as `pdf`. */
  screenshot(job: ScreenshotJob): Promise<Screenshot>;
  health(): RendererHealth;
  /** Current and cumulative statistics. Never fails. */
  stats(): Promise<RendererStats>;
  /** Calls the listener for every job that ends, also for rejected ones. The listener must not throw. @returns unsubscribes */
  observe(listener: RenderListener): () => void;
  /** Waits for running jobs, rejects new ones, and leaves no process and no temporary folder. */
  stop(): Promise<void>;
}

export interface RendererHealth {
  ready: boolean;
  /** Why it is not ready. */
  reason?: string;
  queued: number;
  busy: number;
  /** Browsers that died and were replaced; planned replacements are not counted. */
  restarts: number;
  /** Pages that crashed or hung and were replaced. */
  pagesReplaced: number;
  browser?: {
    pid: number;
    version: string;
    isSandboxed: boolean;
    /** Memory of its process tree at the last check. */
    pssMb?: number;
  };
}

export interface RenderSettings {
  /** A browser to use instead of the bundled one. */
  executablePath?: string;
  /** Private folder for the unpacked browser, the fonts and the profiles of running browsers. */
  cacheFolder: string;
  /** Pages kept open, one job each; default: cores. */
  pages?: number;
  /** Maximum of waiting jobs; further ones fail with `busy`. */
  queueLimit?: number;
  /** Memory of the browser's process tree, in MB (PSS), at which a new browser takes over. */
  recyclePssMb?: number;
  /** Largest html that is printed, in bytes (PLATEN_MAX_PRINT_BYTES). */
  maxPrintBytes?: number;
  /** Pages in each piece of a long document; printing in pieces limits the browser's memory. */
  piecePages?: number;
  /** Chromium's sandbox: `on` or fail, `off`, or `auto`: on, except for root in a container that forbids it. */
  sandbox?: SandboxSetting;
  /** Memory limit of one page's process, in MB: a document that needs more fails alone. */
  pageMemoryMb?: number;
  /** Time limit for a browser's first response, in milliseconds. */
  startMs?: number;
  /** Default: `shared`. */
  isolation?: Isolation;
  log: Log;
}

const RENDER_DEFAULTS = {
  queueLimit: 64,
  recyclePssMb: 600,
  maxPrintBytes: 8 * 1024 * 1024,
  pageMemoryMb: 4096,
  piecePages: 24,
  startMs: 20_000,
  isolation: "shared",
} as const;

type RenderKind = "pdf" | "images" | "screenshot";

/**
 * How a job ended. `timeout`: its deadline passed; `cancelled`: its client disconnected before; `crashed`: the page or
 * browser crashed repeatedly; `busy`: the queue was full; `failed`: any other error.
 */
type RenderOutcome =
  "success" | "timeout" | "cancelled" | "crashed" | "busy" | "failed";

/** `short` and `long` documents, pictures drawn from PDFs (`draw`), and screenshots of emails (`screen`). */
type LaneName = "short" | "long" | "draw" | "screen";

interface LaneStats {
  queued: number;
  busy: number;
}

export interface FinishedRender {
  kind: RenderKind;
  outcome: RenderOutcome;
  /** From the call to its end, including waiting. */
  durationMs: number;
}

export type RenderListener = (render: FinishedRender) => void;

type RenderCounts = Record<RenderKind, Record<RenderOutcome, number>>;

export interface RendererStats {
  lanes: Record<LaneName, LaneStats>;
  renders: RenderCounts;
  restarts: Record<RestartReason, number>;
  /** Pages that crashed or hung and were replaced. */
  pagesReplaced: number;
  /** Memory of all browsers with all their processes, in MB (PSS), measured on each call; null when none runs. */
  pssMb: number | null;
}

/** A renderer that starts no process before `start`. */
export function createRenderer(settings: RenderSettings): Renderer {
  const counter = new RenderCounter();
  let starting: Promise<RendererRuntime> | null = null;
  let runtime: RendererRuntime | null = null;
  let reason = "The renderer is not started.";
  const running = (): RendererRuntime => {
    if (runtime) return runtime;
    throw new PlatenError("unavailable", `${reason} Try again in a moment.`);
  };
  return {
    async start(onBrowserStart) {
      starting ??= RendererRuntime.start(settings, onBrowserStart);
      runtime = await starting;
    },
    pdf: (job) =>
      counter.count("pdf", job.deadline, async () =>
        running().printer.pdf(job),
      ),
    images: (job) =>
      counter.count("images", job.deadline, async () =>
        drawPageImages(running().rasterizer, job),
      ),
    screenshot: (job) =>
      counter.count("screenshot", job.deadline, async () =>
        running().screenshotter.capture(job),
      ),
    health: () => runtime?.health() ?? { ...NOT_READY, reason },
    stats: async () => ({
      lanes: runtime?.lanes ?? IDLE_LANES,
      renders: counter.counts,
      restarts: runtime?.restarts ?? NO_RESTARTS,
      pagesReplaced: runtime?.health().pagesReplaced ?? 0,
      pssMb: (await runtime?.pssMb()) ?? null,
    }),
    observe: (listener) => counter.observe(listener),
    async stop() {
      runtime = null;
      reason = "The service is shutting down and accepts no more documents.";
      const ending = await starting?.catch(() => null);
      [starting, runtime] = [null, null];
      await ending?.stop();
    },
  };
}

const NOT_READY = {
  ready: false,
  queued: 0,
  busy: 0,
  restarts: 0,
  pagesReplaced: 0,
};

const IDLE_LANE = { queued: 0, busy: 0 };
const IDLE_LANES = {
  short: IDLE_LANE,
  long: IDLE_LANE,
  draw: IDLE_LANE,
  screen: IDLE_LANE,
};
const NO_RESTARTS = { died: 0, hung: 0, memory: 0 };

/** Time limit for running jobs when the renderer stops. */
const STOP_MS = 15_000;

/** The parts of a started renderer. */
class RendererRuntime {
  private constructor(
    private readonly prints: BrowserSupervisor,
    private readonly screens: BrowserSupervisor,
    readonly printer: Printer,
    readonly screenshotter: Screenshotter,
    readonly rasterizer: Rasterizer,
  ) {}

  /** @throws PlatenError `unavailable` when the browser does not start or prints no text. */
  static async start(
    settings: RenderSettings,
    onBrowserStart: () => void = () => {},
  ): Promise<RendererRuntime> {
    const { cacheFolder, executablePath, sandbox = "auto", log } = settings;
    const pages = availableParallelism();
    const limits = { ...RENDER_DEFAULTS, pages, ...settings };
    const install = () => installBrowser(cacheFolder, executablePath);
    const { fonts, fontConfig } = await install();
    // For the drawings of emails, which sharp draws in this process; it reads this once.
    process.env["FONTCONFIG_FILE"] = fontConfig;
    const printable = await readCoverage(fonts);
    const { pageMemoryMb, startMs } = limits;
    const launching = { sandbox, pageMemoryMb, startMs, log };
    const selfTest = async (browser: BrowserProcess) => {
      onBrowserStart();
      await printTestPage(browser);
    };
    const parts = { ...launching, install, selfTest };
    const prints = new BrowserSupervisor({ ...parts, purpose: "print" });
    const screens = new BrowserSupervisor({ ...parts, purpose: "screenshot" });
    const runtime = new RendererRuntime(
      prints,
      screens,
      new Printer(prints, printable, limits, log),
      new Screenshotter(screens, printable, limits, log),
      new Rasterizer(limits.queueLimit),
    );
    try {
      await runtime.printer.short.warm();
      return runtime;
    } catch (error) {
      await runtime.#end();
      throw error;
    }
  }

  /** Not ready while no browser is available; it stays ready while a crashed browser is being replaced. */
  health(): RendererHealth {
    const { prints, printer, screenshotter } = this;
    const lanes = [printer.short, printer.long, screenshotter.lane];
    const { trouble, live: browser } = prints;
    const pssMb = printer.memory.lastPssMb;
    return {
      ready: trouble === null,
      ...(trouble !== null && { reason: trouble }),
      queued: sum(lanes.map((lane) => lane.queued)),
      busy: sum(lanes.map((lane) => lane.busy)),
      restarts: this.#restarted("died") + this.#restarted("hung"),
      pagesReplaced: sum(lanes.map((lane) => lane.replaced)),
      ...(browser && {
        browser: {
          pid: browser.pid,
          version: browser.version,
          isSandboxed: browser.isSandboxed,
          ...(pssMb !== undefined && { pssMb }),
        },
      }),
    };
  }

  get lanes(): Record<LaneName, LaneStats> {
    const { printer, screenshotter, rasterizer } = this;
    return {
      short: toLaneStats(printer.short),
      long: toLaneStats(printer.long),
      draw: toLaneStats(rasterizer),
      screen: toLaneStats(screenshotter.lane),
    };
  }

  get restarts(): Record<RestartReason, number> {
    return {
      died: this.#restarted("died"),
      hung: this.#restarted("hung"),
      memory: this.#restarted("memory"),
    };
  }

  /** Memory of both browsers, in MB; null when none runs. */
  async pssMb(): Promise<number | null> {
    const sizes = [await this.prints.pssMb(), await this.screens.pssMb()];
    const measured = sizes.filter((size) => size !== null);
    return measured.length === 0 ? null : sum(measured);
  }

  /** Waits for running jobs; afterwards no process, thread or folder is left. */
  async stop(): Promise<void> {
    const { printer, screenshotter } = this;
    const lanes = [printer.short, printer.long, screenshotter.lane];
    const idle = Promise.all(lanes.map((lane) => lane.idle()));
    await withinTime(idle, STOP_MS, "stopping").catch(() => null);
    await this.#end();
  }

  #restarted(reason: RestartReason): number {
    return this.prints.restarts[reason] + this.screens.restarts[reason];
  }

  async #end(): Promise<void> {
    await Promise.all([
      this.prints.stop(),
      this.screens.stop(),
      this.rasterizer.stop(),
    ]);
  }
}

function toLaneStats({ queued, busy }: LaneStats): LaneStats {
  return { queued, busy };
}

const SELF_TEST_MS = 15_000;
const TEST_PAGE = "<!doctype html><title>Test</title><p>Hello</p>";

/**
 * Prints a test page: without fonts, Chromium prints empty pages and reports no error.
 * @throws PlatenError `unavailable` when the PDF contains no text.
 */
async function printTestPage(browser: BrowserProcess): Promise<void> {
  const page = await IsolatedPage.open(browser, false);
  const print = printPage(page, TEST_PAGE, {});
  const pdf = await withinTime(print, SELF_TEST_MS, "the test print");
  page.close().catch(() => null);
  if (countPages(pdf) === 1 && embedsFont(pdf)) return;
  throw new PlatenError(
    "unavailable",
    "The browser prints pages without text because it finds no font. " +
      "Remove the folder of the unpacked browser, so that it is unpacked again, or set another PUPPETEER_EXECUTABLE_PATH.",
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** A timer may fire this much early. */
const TIMER_SLACK_MS = 5;

const NONE: Record<RenderOutcome, number> = {
  success: 0,
  timeout: 0,
  cancelled: 0,
  crashed: 0,
  busy: 0,
  failed: 0,
};

/** Counts jobs by outcome and notifies listeners of each. */
class RenderCounter {
  readonly #listeners = new Set<RenderListener>();
  readonly #counts: RenderCounts = {
    pdf: { ...NONE },
    images: { ...NONE },
    screenshot: { ...NONE },
  };

  get counts(): RenderCounts {
    return structuredClone(this.#counts);
  }

  observe(listener: RenderListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Returns the job's result, or throws its error unchanged. */
  async count<T>(
    kind: RenderKind,
    deadline: Deadline,
    job: () => Promise<T>,
  ): Promise<T> {
    const started = performance.now();
    try {
      const result = await job();
      this.#note(kind, "success", started);
      return result;
    } catch (error) {
      this.#note(kind, getOutcome(error, deadline), started);
      throw error;
    }
  }

  #note(kind: RenderKind, outcome: RenderOutcome, started: number): void {
    this.#counts[kind][outcome] += 1;
    const durationMs = performance.now() - started;
    for (const listener of this.#listeners)
      listener({ kind, outcome, durationMs });
  }
}

function getOutcome(error: unknown, deadline: Deadline): RenderOutcome {
  if (!(error instanceof PlatenError)) return "failed";
  const { code } = error;
  if (code === "timeout")
    return deadline.remainingMs > TIMER_SLACK_MS ? "cancelled" : "timeout";
  return code === "crashed" || code === "busy" ? code : "failed";
}

/** Not yet started. */
export function createConfiguredRenderer(
  { render, dataFolder }: Pick<Config, "render" | "dataFolder">,
  { folder }: PackageInfo,
  log: Log,
): Renderer {
  const { executablePath, ...settings } = render;
  const cache = join(folder, ".cache");
  return createRenderer({
    ...settings,
    ...(executablePath !== null && { executablePath }),
    // When an administrator installed Platen, it may not write beside its own files.
    cacheFolder: join(isWritable(cache) ? cache : dataFolder, "render"),
    log,
  });
}

function isWritable(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The same renderer with at most `maxJobs` jobs at a time, and one for an organization that has none: see `FairQueue`.
 * Its pages are served in turn, so a request that comes while a batch runs waits for one or two jobs at most.
 */
export function limitJobs(renderer: Renderer, maxJobs: number): Renderer {
  const slots = new FairQueue(maxJobs, RENDER_QUEUE);
  return {
    ...renderer,
    pdf: (job) => slots.run(job, () => renderer.pdf(job)),
    images: (job) => slots.run(job, () => renderer.images(job)),
    screenshot: (job) => slots.run(job, () => renderer.screenshot(job)),
  };
}

/** The same renderer, which starts its browser for the first job: reading templates needs none. */
export function startOnFirstJob(renderer: Renderer): Renderer {
  return {
    ...renderer,
    async pdf(job) {
      await renderer.start();
      return renderer.pdf(job);
    },
    async images(job) {
      await renderer.start();
      return renderer.images(job);
    },
    async screenshot(job) {
      await renderer.start();
      return renderer.screenshot(job);
    },
  };
}
