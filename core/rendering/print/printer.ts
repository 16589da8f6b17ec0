import type { Deadline, Log } from "../../plugin-api/index.js";
import type { BrowserKeeper } from "../browser/browser-keeper.js";
import { MemoryWatch } from "../browser/memory-watch.js";
import type { Overflow } from "../flaws/print-flaws.js";
import type { PageBox, PdfJob, PdfStructure, PrintedPdf } from "../jobs.js";
import type { CharacterSet } from "../fonts/characters/character-set.js";
import { completeHead } from "./complete-head.js";
import { isLong, refuseTooLarge } from "./document-length.js";
import { missingGlyphs } from "../flaws/glyphs/missing-glyphs.js";
import { layOver } from "./overlay.js";
import { countPages } from "./pdf-facts.js";
import { joinInThread } from "./join/join-in-thread.js";
import { type PrintedLong, printLong } from "./long/print-long.js";
import { printOnPages, printPage, printWritten } from "./print-page.js";
import { PageLane } from "../page/page-lane.js";
import type { SealedPage } from "../page/sealed-page.js";
import type { Turn } from "../page/page-slot.js";
import type { Isolation } from "../settings.js";

export interface PrinterLimits {
  pages: number;
  queueLimit: number;
  maxPrintBytes: number;
  recyclePssMb: number;
  piecePages: number;
  isolation: Isolation;
}

interface PrintTask {
  html: string;
  structure: PdfStructure;
  /** With it, overflow is looked for. */
  box?: PageBox | undefined;
}

interface Print {
  bytes: Buffer;
  pages: number;
  overflow: Overflow[];
  queueMs: number;
  printMs: number;
}

/** Prints documents on two lanes, so that a long one never stands in the way of the short ones. */
export class Printer {
  readonly short: PageLane;
  readonly long: PageLane;
  readonly memory: MemoryWatch;

  /** @param printable every character that can be printed */
  constructor(
    keeper: BrowserKeeper,
    private readonly printable: CharacterSet,
    private readonly limits: PrinterLimits,
    log: Log,
  ) {
    const { pages, queueLimit, recyclePssMb, isolation } = limits;
    const settings = { isolation, log };
    this.short = new PageLane(keeper, pages, queueLimit, settings);
    this.long = new PageLane(keeper, 1, queueLimit, settings);
    this.memory = new MemoryWatch(keeper, recyclePssMb, log);
  }

  /** Body first; headers and footers that need the number of pages second, laid over it. */
  async pdf(job: PdfJob): Promise<PrintedPdf> {
    const { overlay, title, language, tagged, outline } = job;
    const html = completeHead(job.html, title, language);
    const structure = { tagged: tagged ?? false, outline: outline ?? false };
    const task = { html, structure, box: job.page };
    const body = await this.#print(task, job);
    const { bytes, pages, overflow, queueMs, printMs } = body;
    const phases = { queueMs, printMs };
    const strips = overlay?.(pages);
    const glyphs = missingGlyphs([html, strips ?? ""], this.printable);
    const printed = { bytes, pages, phases, overflow, missingGlyphs: glyphs };
    return strips ? this.#layOver(printed, strips, job) : printed;
  }

  async #layOver(
    body: PrintedPdf,
    html: string,
    turn: Turn,
  ): Promise<PrintedPdf> {
    const started = performance.now();
    const strips = await this.#print({ html, structure: {} }, turn);
    const bytes = await layOver(body, strips.bytes, turn.deadline);
    const overlayMs = performance.now() - started;
    return { ...body, bytes, phases: { ...body.phases, overlayMs } };
  }

  async #print(task: PrintTask, turn: Turn): Promise<Print> {
    refuseTooLarge(task.html, this.limits.maxPrintBytes);
    const isOnLongLane = isLong(task.html);
    const lane = isOnLongLane ? this.long : this.short;
    const asked = performance.now();
    const printed = await lane.run(turn, async (page) => {
      const started = performance.now();
      const parts = isOnLongLane
        ? await this.#printLong(page, task)
        : await printTask(page, task);
      return { ...parts, queueMs: started - asked, startedAt: started };
    });
    this.memory.note(isOnLongLane);
    const { parts, startedAt, overflow, queueMs } = printed;
    const bytes = await joined(parts, turn.deadline);
    const printMs = performance.now() - startedAt;
    return { bytes, pages: pagesOf(parts), overflow, queueMs, printMs };
  }

  /** Where nothing says what its pages are, or its structure would be lost, a long document is printed whole. */
  #printLong(page: SealedPage, task: PrintTask): Promise<PrintedLong> {
    const { html, structure, box } = task;
    const { piecePages } = this.limits;
    const isWhole = !box || structure.tagged || structure.outline;
    return isWhole
      ? printTask(page, task)
      : printLong(page, html, { box, piecePages }, () =>
          printWritten(page, structure),
        );
  }
}

async function printTask(
  page: SealedPage,
  { html, structure, box }: PrintTask,
): Promise<PrintedLong> {
  const { bytes, overflow } = box
    ? await printOnPages(page, html, structure, box)
    : { bytes: await printPage(page, html, structure), overflow: [] };
  const end = countPages(bytes);
  return { parts: { pieces: [{ bytes, start: 0, end }] }, overflow };
}

function pagesOf({ pieces }: PrintedLong["parts"]): number {
  return pieces.reduce((sum, { start, end }) => sum + end - start, 0);
}

async function joined(
  { pieces, ...rest }: PrintedLong["parts"],
  deadline: Deadline,
): Promise<Buffer> {
  const [first, second] = pieces;
  if (first && !second && !rest.under) return first.bytes;
  return joinInThread({ pieces, ...rest }, deadline);
}
