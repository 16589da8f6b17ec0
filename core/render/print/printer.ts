import type { Deadline, Log } from "../../contract/index.js";
import type { BrowserKeeper } from "../browser/browser-keeper.js";
import { MemoryWatch } from "../browser/memory-watch.js";
import type { PdfJob, PrintedPdf } from "../jobs.js";
import { completeHead } from "./complete-head.js";
import { isLong, refuseTooLarge } from "./document-length.js";
import { layOver } from "./overlay.js";
import { countPages } from "./pdf-facts.js";
import { printPage } from "./print-page.js";
import { PageLane } from "../page/page-lane.js";

export interface PrinterLimits {
  pages: number;
  queueLimit: number;
  maxPrintBytes: number;
  recyclePssMb: number;
}

interface Print {
  bytes: Buffer;
  queueMs: number;
  printMs: number;
}

/** Prints documents on two lanes, so that a long one never stands in the way of the short ones. */
export class Printer {
  readonly short: PageLane;
  readonly long: PageLane;
  readonly memory: MemoryWatch;

  constructor(
    keeper: BrowserKeeper,
    private readonly limits: PrinterLimits,
    log: Log,
  ) {
    const { pages, queueLimit, recyclePssMb } = limits;
    this.short = new PageLane(keeper, pages, queueLimit, log);
    this.long = new PageLane(keeper, 1, queueLimit, log);
    this.memory = new MemoryWatch(keeper, recyclePssMb, log);
  }

  /** Body first; headers and footers that need the number of pages second, laid over it. */
  async pdf(job: PdfJob): Promise<PrintedPdf> {
    const { overlay, title, language, tagged = false, deadline } = job;
    const html = completeHead(job.html, title, language);
    const body = await this.#print(html, tagged, deadline);
    const { queueMs, printMs } = body;
    const pages = countPages(body.bytes);
    if (!overlay)
      return { bytes: body.bytes, pages, phases: { queueMs, printMs } };
    const started = performance.now();
    const strips = await this.#print(overlay(pages), false, deadline);
    const bytes = await layOver(body.bytes, strips.bytes);
    const overlayMs = performance.now() - started;
    return { bytes, pages, phases: { queueMs, printMs, overlayMs } };
  }

  async #print(
    html: string,
    isTagged: boolean,
    deadline: Deadline,
  ): Promise<Print> {
    refuseTooLarge(html, this.limits.maxPrintBytes);
    const isOnLongLane = isLong(html);
    const lane = isOnLongLane ? this.long : this.short;
    const asked = performance.now();
    const print = await lane.run(deadline, async (page) => {
      const started = performance.now();
      const bytes = await printPage(page, html, isTagged);
      const printMs = performance.now() - started;
      return { bytes, queueMs: started - asked, printMs };
    });
    this.memory.note(isOnLongLane);
    return print;
  }
}
