import type { Log } from "../../plugin-api/index.js";
import type { BrowserKeeper } from "../browser/browser-keeper.js";
import { MemoryWatch } from "../browser/memory-watch.js";
import type { CharacterSet } from "../fonts/characters/character-set.js";
import type { Screenshot, ScreenshotJob } from "../jobs.js";
import { PageLane } from "../page/page-lane.js";
import { refuseTooLarge } from "../print/document-length.js";
import type { Isolation } from "../settings.js";
import { takeScreenshot } from "./take-screenshot.js";

export interface CameraLimits {
  queueLimit: number;
  maxPrintBytes: number;
  recyclePssMb: number;
  isolation: Isolation;
}

/** Pictures of whole documents as a screen shows them, by a browser of its own that the first job starts. */
export class ScreenCamera {
  readonly lane: PageLane;
  readonly #memory: MemoryWatch;

  /** @param printable every character that can be drawn */
  constructor(
    keeper: BrowserKeeper,
    private readonly printable: CharacterSet,
    private readonly limits: CameraLimits,
    log: Log,
  ) {
    const { queueLimit, isolation } = limits;
    this.lane = new PageLane(keeper, 1, queueLimit, { isolation, log });
    this.#memory = new MemoryWatch(keeper, limits.recyclePssMb, log);
  }

  async shoot(job: ScreenshotJob): Promise<Screenshot> {
    refuseTooLarge(job.html, this.limits.maxPrintBytes);
    const shot = await this.lane.run(job, (page) =>
      takeScreenshot(page, job, this.printable),
    );
    this.#memory.note(false);
    return shot;
  }
}
