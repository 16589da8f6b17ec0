import type { Deadline, Log } from "../../plugin-api/index.js";
import {
  type BrowserSupervisor,
  MemoryMonitor,
} from "../browser/browser-supervisor.js";
import { type CharacterSet, missingGlyphs } from "../fonts/character-set.js";
import type { IsolatedPage } from "../isolated-page.js";
import type {
  Overflow,
  PageBox,
  PdfJob,
  PdfStructure,
  PrintedPdf,
} from "../jobs.js";
import { type Isolation, PagePool } from "../page-pool.js";
import { isLong, assertPrintSize } from "../size-limits.js";
import { overlayStrips, joinInThread } from "./join-pdfs.js";
import { type PrintedLong, printLong } from "./long-document.js";
import {
  findOverflow,
  getContentWidth,
  isRightToLeft,
  findWideElements,
} from "./overflow.js";
import { countPages } from "./pdf-facts.js";

interface PrinterLimits {
  pages: number;
  queueLimit: number;
  maxPrintBytes: number;
  recyclePssMb: number;
  piecePages: number;
  isolation: Isolation;
}

/** Prints short and long documents in separate page pools, so that long ones do not delay short ones. */
export class Printer {
  readonly short: PagePool;
  readonly long: PagePool;
  readonly memory: MemoryMonitor;

  /** @param printable every character that can be printed */
  constructor(
    supervisor: BrowserSupervisor,
    private readonly printable: CharacterSet,
    private readonly limits: PrinterLimits,
    log: Log,
  ) {
    const { pages, queueLimit, recyclePssMb, isolation } = limits;
    const settings = { isolation, log };
    this.short = new PagePool(supervisor, pages, queueLimit, settings);
    this.long = new PagePool(supervisor, 1, queueLimit, settings);
    this.memory = new MemoryMonitor(supervisor, recyclePssMb, log);
  }

  /** Prints the body first; then headers and footers that need the number of pages, as an overlay. */
  async pdf(job: PdfJob): Promise<PrintedPdf> {
    const { deadline, owner, overlay, title, language } = job;
    const html = completeHead(job.html, title, language);
    const body = await this.#print({ ...job, html });
    const strips = overlay?.(body.pages);
    const missing = missingGlyphs([html, strips ?? ""], this.printable);
    const printed = { ...body, missingGlyphs: missing };
    if (!strips) return printed;
    const started = performance.now();
    const over = await this.#print({ html: strips, owner, deadline });
    const bytes = await overlayStrips(body, over.bytes, deadline);
    const overlayMs = performance.now() - started;
    return { ...printed, bytes, phases: { ...body.phases, overlayMs } };
  }

  async #print(job: PdfJob): Promise<Omit<PrintedPdf, "missingGlyphs">> {
    assertPrintSize(job.html, this.limits.maxPrintBytes);
    const isOnLongLane = isLong(job.html);
    const lane = isOnLongLane ? this.long : this.short;
    const asked = performance.now();
    const { parts, overflow, started } = await lane.run(job, async (page) => ({
      started: performance.now(),
      ...(isOnLongLane
        ? await this.#printLong(page, job)
        : await printWhole(page, job)),
    }));
    this.memory.note(isOnLongLane);
    return {
      bytes: await joinParts(parts, job.deadline),
      pages: parts.pieces.reduce((sum, { start, end }) => sum + end - start, 0),
      overflow,
      phases: {
        queueMs: started - asked,
        printMs: performance.now() - started,
      },
    };
  }

  /** A long document is printed whole if its page size is unknown or it needs tags or bookmarks, which pieces would lose. */
  #printLong(page: IsolatedPage, job: PdfJob): Promise<PrintedLong> {
    const { html, page: box, tagged, outline } = job;
    const { piecePages } = this.limits;
    return !box || tagged || outline
      ? printWhole(page, job)
      : printLong(page, html, { box, piecePages }, () =>
          printLoadedPage(page, {}),
        );
  }
}

async function printWhole(
  page: IsolatedPage,
  job: PdfJob,
): Promise<PrintedLong> {
  const { bytes, overflow } = job.page
    ? await printAndFindOverflow(page, job.html, job, job.page)
    : { bytes: await printPage(page, job.html, job), overflow: [] };
  const end = countPages(bytes);
  return { parts: { pieces: [{ bytes, start: 0, end }] }, overflow };
}

async function joinParts(
  { pieces, ...rest }: PrintedLong["parts"],
  deadline: Deadline,
): Promise<Buffer> {
  const [first, second] = pieces;
  if (first && !second && !rest.under) return first.bytes;
  return joinInThread({ pieces, ...rest }, deadline);
}

/** Options of every print; paper size and margins come from the document's `@page` rules. */
const PRINT_OPTIONS = {
  preferCSSPageSize: true,
  printBackground: true,
  generateTaggedPDF: false,
  transferMode: "ReturnAsBase64",
} as const;

/** Prints one document. @throws PlatenError `render_failed`. */
export async function printPage(
  page: IsolatedPage,
  html: string,
  structure: PdfStructure,
): Promise<Buffer> {
  await page.write(html);
  return printLoadedPage(page, structure);
}

/**
 * Prints one document and finds what is wider than its pages. Chromium cuts off right-to-left content that is too wide, and
 * the PDF does not show it: such a document is measured before it is printed.
 * @throws PlatenError `render_failed`.
 */
async function printAndFindOverflow(
  page: IsolatedPage,
  html: string,
  structure: PdfStructure,
  box: PageBox,
): Promise<{ bytes: Buffer; overflow: Overflow[] }> {
  if (!isRightToLeft(html)) {
    const bytes = await printPage(page, html, structure);
    return { bytes, overflow: await findOverflow(page, html, bytes, box) };
  }
  const roomPx = getContentWidth(box);
  await page.setWindow(roomPx);
  await page.write(html);
  const overflow = await findWideElements(page, html, roomPx);
  return { bytes: await printLoadedPage(page, structure), overflow };
}

/** Prints the loaded document. @throws PlatenError `render_failed`. */
async function printLoadedPage(
  page: IsolatedPage,
  structure: PdfStructure,
): Promise<Buffer> {
  const { tagged = false, outline = false } = structure;
  const { data } = await page.send("Page.printToPDF", {
    ...PRINT_OPTIONS,
    generateTaggedPDF: tagged || outline,
    generateDocumentOutline: outline,
  });
  return setCreator(Buffer.from(data, "base64"));
}

const CHROMIUM_CREATOR = Buffer.from("/Creator (Chromium)");
const PLATEN_CREATOR = Buffer.from("/Creator (Platen)  ");
/** The properties are the first object of the file, and may contain a long title. */
const SEARCHED_BYTES = 16 * 1024;

/** Replaces the PDF's creator in place, without moving other bytes. A configured browser may write another creator, which stays. */
function setCreator(pdf: Buffer): Buffer {
  const at = pdf.subarray(0, SEARCHED_BYTES).indexOf(CHROMIUM_CREATOR);
  if (at >= 0) PLATEN_CREATOR.copy(pdf, at);
  return pdf;
}

/** Adds a title and a language unless the html has its own; both are written into the PDF. */
function completeHead(
  html: string,
  title: string | undefined,
  language: string | undefined,
): string {
  let complete = html;
  if (language !== undefined && !/<html\b[^>]*\blang\s*=/i.test(html))
    complete = complete.replace(
      /<html\b/i,
      (tag) => `${tag} lang="${escapeHtml(language)}"`,
    );
  if (title !== undefined && !/<title\b/i.test(html))
    complete = complete.replace(
      /<head\b[^>]*>/i,
      (tag) => `${tag}<title>${escapeHtml(title)}</title>`,
    );
  return complete;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll('"', "&quot;");
}
