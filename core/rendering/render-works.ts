import { availableParallelism } from "node:os";
import { prepareBrowserHome } from "./browser/browser-home.js";
import { BrowserKeeper } from "./browser/browser-keeper.js";
import { readCoverage } from "./fonts/characters/font-coverage.js";
import { Rasterizer } from "./images/rasterizer.js";
import { ScreenCamera } from "./images/screen-camera.js";
import { Printer } from "./print/printer.js";
import type { RendererHealth } from "./renderer.js";
import { testPrint } from "./self-test.js";
import { RENDER_DEFAULTS, type RenderSettings } from "./settings.js";
import type { LaneName, LaneStats, RestartReason } from "./stats.js";
import { sum } from "./sum.js";
import { withinTime } from "./time-limit.js";

/** How long running jobs may take to end when the renderer stops. */
const STOP_MS = 15_000;

/** What a renderer consists of between its start and its stop. */
export class RenderWorks {
  private constructor(
    private readonly prints: BrowserKeeper,
    private readonly screens: BrowserKeeper,
    readonly printer: Printer,
    readonly camera: ScreenCamera,
    readonly rasterizer: Rasterizer,
  ) {}

  /** @throws PlatenError `unavailable` when the browser does not start or prints no letters. */
  static async start(settings: RenderSettings): Promise<RenderWorks> {
    const { cacheFolder, executablePath, sandbox = "auto", log } = settings;
    const pages = availableParallelism();
    const limits = { ...RENDER_DEFAULTS, pages, ...settings };
    const home = () => prepareBrowserHome(cacheFolder, executablePath);
    const printable = await readCoverage((await home()).fonts);
    const { pageMemoryMb, startMs } = limits;
    const launching = { sandbox, pageMemoryMb, startMs, log };
    const parts = { ...launching, home, prove: testPrint };
    const prints = new BrowserKeeper({ ...parts, purpose: "print" });
    const screens = new BrowserKeeper({ ...parts, purpose: "screenshot" });
    const works = new RenderWorks(
      prints,
      screens,
      new Printer(prints, printable, limits, log),
      new ScreenCamera(screens, printable, limits, log),
      new Rasterizer(limits.queueLimit),
    );
    await works.#warm();
    return works;
  }

  /** Not ready while no browser can be had; for the moment in which one that died is replaced it stays ready. */
  health(): RendererHealth {
    const { prints, printer, camera } = this;
    const lanes = [printer.short, printer.long, camera.lane];
    const { trouble } = prints;
    return {
      ready: trouble === null,
      ...(trouble === null ? {} : { reason: trouble }),
      queued: sum(lanes.map((lane) => lane.queued)),
      busy: sum(lanes.map((lane) => lane.busy)),
      restarts: this.#restarted("died") + this.#restarted("hung"),
      pagesReplaced: sum(lanes.map((lane) => lane.replaced)),
      ...this.#browser(),
    };
  }

  get lanes(): Record<LaneName, LaneStats> {
    const { printer, camera, rasterizer } = this;
    return {
      short: laneStats(printer.short),
      long: laneStats(printer.long),
      draw: laneStats(rasterizer),
      screen: laneStats(camera.lane),
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
    const known = sizes.filter((size) => size !== null);
    return known.length === 0 ? null : sum(known);
  }

  /** Jobs under way may end; then no process, thread or folder is left. */
  async stop(): Promise<void> {
    const { printer, camera } = this;
    const lanes = [printer.short, printer.long, camera.lane];
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

  async #warm(): Promise<void> {
    try {
      await this.printer.short.warm();
    } catch (error) {
      await this.#end();
      throw error;
    }
  }

  #browser(): Pick<RendererHealth, "browser"> {
    const browser = this.prints.live;
    if (!browser) return {};
    const { pid, version, isSandboxed } = browser;
    const pssMb = this.printer.memory.lastPssMb;
    const memory = pssMb === undefined ? {} : { pssMb };
    return { browser: { pid, version, isSandboxed, ...memory } };
  }
}

function laneStats({ queued, busy }: LaneStats): LaneStats {
  return { queued, busy };
}
