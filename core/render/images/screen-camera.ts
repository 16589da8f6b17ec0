import type { Log } from "../../contract/index.js";
import type { BrowserKeeper } from "../browser/browser-keeper.js";
import type { Screenshot, ScreenshotJob } from "../jobs.js";
import { PageLane } from "../page/page-lane.js";
import { takeScreenshot } from "./take-screenshot.js";

/** Pictures of whole documents as a screen shows them, by a browser of its own that the first job starts. */
export class ScreenCamera {
  readonly lane: PageLane;

  constructor(keeper: BrowserKeeper, queueLimit: number, log: Log) {
    this.lane = new PageLane(keeper, 1, queueLimit, log);
  }

  shoot(job: ScreenshotJob): Promise<Screenshot> {
    const { deadline } = job;
    return this.lane.run(deadline, (page) => takeScreenshot(page, job));
  }
}
