import type { Deadline, Log } from "../../plugin-api/index.js";
import {
  type BrowserSupervisor,
  MemoryMonitor,
} from "../browser/browser-supervisor.js";
import type {
  Overflow,
  PageBox,
  PdfJob,
  PdfStructure,
  PrintedPdf,
} from "../jobs.js";
import { type CharacterSet, missingGlyphs } from "../fonts/character-set.js";
import { isLong, assertPrintSize } from "./document-size.js";
import {
  completeHead,
  printAndFindOverflow,
  printPage,
  printLoadedPage,
} from "./print-page.js";
import { overlayStrips, joinInThread } from "./join-pdfs.js";
import { countPages } from "./pdf-facts.js";
import { type PrintedLong, printLong } from "./long-document.js";
import { PagePool, type Turn } from "../page-pool.js";
import type { IsolatedPage } from "../isolated-page.js";
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
  /** If given, overflow is reported. */
  box?: PageBox | undefined;
}

interface Print {
  bytes: Buffer;
  pages: number;
  overflow: Overflow[];
  queueMs: number;
  printMs: number;
}

/** Prints short and long documents in separate page pools, so that long ones do not delay short ones. */
export class Printer {
  readonly short: PagePool;
  readonly long: PagePool;
  readonly memory: MemoryMonitor;

  /** @param printable every character that can be printed */
  constructor(
    keeper: BrowserSupervisor,
    private readonly printable: CharacterSet,
    private readonly limits: PrinterLimits,
    log: Log,
  ) {
    const { pages, queueLimit, recyclePssMb, isolation } = limits;
    const settings = { isolation, log };
    this.short = new PagePool(keeper, pages, queueLimit, settings);
    this.long = new PagePool(keeper, 1, queueLimit, settings);
    this.memory = new MemoryMonitor(keeper, recyclePssMb, log);
  }

  /** Prints the body first; then headers and footers that need the number of pages, as an overlay. */
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
    return strips ? this.#overlayStrips(printed, strips, job) : printed;
  }

  async #overlayStrips(
    body: PrintedPdf,
    html: string,
    turn: Turn,
  ): Promise<PrintedPdf> {
    const started = performance.now();
    const strips = await this.#print({ html, structure: {} }, turn);
    const bytes = await overlayStrips(body, strips.bytes, turn.deadline);
    const overlayMs = performance.now() - started;
    return { ...body, bytes, phases: { ...body.phases, overlayMs } };
  }

  async #print(task: PrintTask, turn: Turn): Promise<Print> {
    assertPrintSize(task.html, this.limits.maxPrintBytes);
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

  /** A long document is printed whole if its page size is unknown or it needs tags or bookmarks, which pieces would lose. */
  #printLong(page: IsolatedPage, task: PrintTask): Promise<PrintedLong> {
    const { html, structure, box } = task;
    const { piecePages } = this.limits;
    const isWhole = !box || structure.tagged || structure.outline;
    return isWhole
      ? printTask(page, task)
      : printLong(page, html, { box, piecePages }, () =>
          printLoadedPage(page, structure),
        );
  }
}

async function printTask(
  page: IsolatedPage,
  { html, structure, box }: PrintTask,
): Promise<PrintedLong> {
  const { bytes, overflow } = box
    ? await printAndFindOverflow(page, html, structure, box)
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
