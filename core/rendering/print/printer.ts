import { answeringTurns } from "../../lib/fair-queue.js";
import { constants, inflateSync } from "node:zlib";
import {
  type Deadline,
  type Log,
  PlatenError,
} from "../../plugin-api/index.js";
import {
  type BrowserSupervisor,
  MemoryMonitor,
} from "../browser/browser-supervisor.js";
import type { CdpResult } from "../browser/cdp.js";
import { type CharacterSet, missingGlyphs } from "../fonts/character-set.js";
import {
  HIDING_PX,
  type IsolatedPage,
  type Isolation,
  PagePool,
} from "../page-pool.js";
import type {
  Overflow,
  PageBox,
  PdfJob,
  PdfStructure,
  PrintedPdf,
} from "../jobs.js";
import { loadFitted } from "./fit-headers.js";
import { overlayStrips, joinInThread } from "./join-pdfs.js";
import { type PrintedLong, printLong } from "./long-document.js";
import { escapeXml } from "../../lib/escape-xml.js";

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
    const { deadline, owner, title, language } = job;
    // Long html is searched and copied several times on the way to the browser.
    if (job.html.length >= LONG_CHARACTERS) await answeringTurns.take(owner);
    const html = completeHead(job.html, title, language);
    const { overlay, ...body } = await this.#print({ ...job, html });
    const strips = overlay?.(body.pages);
    const missing = missingGlyphs([html, strips ?? ""], this.printable);
    const printed = { ...body, missingGlyphs: missing };
    if (!strips) return printed;
    const started = performance.now();
    const over = await this.#print({ html: strips, owner, deadline });
    const bytes = await overlayStrips(body, over, deadline);
    const overlayMs = performance.now() - started;
    return { ...printed, bytes, phases: { ...body.phases, overlayMs } };
  }

  async #print(job: PdfJob) {
    assertPrintSize(job.html, this.limits.maxPrintBytes);
    const isOnLongLane = isLong(job.html);
    const lane = isOnLongLane ? this.long : this.short;
    const requestedAt = performance.now();
    const { parts, overflow, overlay, started } = await lane.run(
      job,
      async (page) => ({
        started: performance.now(),
        ...(isOnLongLane
          ? await this.#printLong(page, job)
          : await printWhole(page, job)),
      }),
    );
    this.memory.note(job.html, isOnLongLane);
    return {
      bytes: await joinParts(parts, job.deadline),
      pages: parts.pieces.reduce((sum, { start, end }) => sum + end - start, 0),
      overflow,
      overlay,
      phases: {
        queueMs: started - requestedAt,
        printMs: performance.now() - started,
      },
    };
  }

  /** A long document is printed whole if its page size is unknown or it needs tags or bookmarks, which pieces would lose. */
  async #printLong(page: IsolatedPage, job: PdfJob): Promise<PrintedParts> {
    const { page: given, tagged, outline } = job;
    if (!given || tagged || outline) return printWhole(page, job);
    const roomPx = getContentWidth(given);
    await page.setWindow(roomPx);
    const { page: box = given, overlay } = await loadFitted(page, job);
    const { piecePages } = this.limits;
    const layout = { box, roomPx, piecePages };
    const tall = await findTallDrawings(page, job.html, box);
    const printed = await printLong(page, layout, async () => {
      const bytes = await printLoadedPage(page, {});
      return { bytes, pages: countPages(bytes) };
    });
    const overflow = [...printed.overflow, ...tall];
    return { ...printed, overflow, overlay };
  }
}

interface PrintedParts extends PrintedLong {
  overlay: PdfJob["overlay"];
}

/** The usual width of a window, where it does not matter. */
const WINDOW_PX = 800;
/** Elements whose content depends on the window, or loads when they are laid out there. */
const LOADS_BY_LAYOUT = /<(?:iframe|picture|use|video)\b|\bsrcset\b/i;

/**
 * Prints a document, and finds what is wider than its pages if their size is known. Chromium cuts off right-to-left
 * content that is too wide, and the PDF does not show it: such a document is measured before it is printed.
 * @throws PlatenError `render_failed`.
 */
async function printWhole(
  page: IsolatedPage,
  job: PdfJob,
): Promise<PrintedParts> {
  const roomPx =
    job.page && isRightToLeft(job.html) ? getContentWidth(job.page) : null;
  const isHidden = roomPx === null && !LOADS_BY_LAYOUT.test(job.html);
  await page.setWindow(isHidden ? HIDING_PX : (roomPx ?? WINDOW_PX));
  const { html, page: box, overlay } = await loadFitted(page, job);
  const wide =
    roomPx === null ? null : await findWideElements(page, html, roomPx);
  const bytes = await printLoadedPage(page, job);
  const overflow =
    wide ?? (box ? await findOverflow(page, html, bytes, box) : []);
  const end = countPages(bytes);
  // Without a second page, nothing is cut; a document that was shrunk has other heights.
  if (box && end > 1 && overflow.length === 0)
    overflow.push(...(await findTallDrawings(page, html, box)));
  return { parts: { pieces: [{ bytes, start: 0, end }] }, overflow, overlay };
}

async function joinParts(
  { pieces, ...rest }: PrintedLong["parts"],
  deadline: Deadline,
): Promise<Buffer> {
  const [first, second] = pieces;
  if (first && !second && !rest.under) return first.bytes;
  return joinInThread({ pieces, ...rest }, deadline);
}

/** Paper size and margins come from the document's `@page` rules. */
const PRINT_OPTIONS = {
  preferCSSPageSize: true,
  printBackground: true,
  generateTaggedPDF: false,
  transferMode: "ReturnAsBase64",
} as const;

/** @throws PlatenError `render_failed`. */
export async function printPage(
  page: IsolatedPage,
  html: string,
  structure: PdfStructure,
): Promise<Buffer> {
  await page.write(html);
  return printLoadedPage(page, structure);
}

/** @throws PlatenError `render_failed`. */
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
      (tag) => `${tag} lang="${escapeXml(language)}"`,
    );
  if (title !== undefined && !/<title\b/i.test(html))
    complete = complete.replace(
      /<head\b[^>]*>/i,
      (tag) => `${tag}<title>${escapeXml(title)}</title>`,
    );
  return complete;
}

/**
 * Finds what of a document is wider than its pages, right after it was printed. Only when the PDF's scale shows that
 * something is too wide, the document is laid out again to find the elements, unless it is long.
 */
async function findOverflow(
  page: IsolatedPage,
  html: string,
  pdf: Buffer,
  box: PageBox,
): Promise<Overflow[]> {
  const roomPx = getContentWidth(box);
  const shrink = readPrintScale(pdf, box);
  if (shrink === null) return measureOverflow(page, html, roomPx);
  const widthPx = Math.round(roomPx / shrink);
  if (widthPx <= roomPx) return [];
  const overflows = isLong(html)
    ? []
    : await measureOverflow(page, html, roomPx);
  const unnamed = { element: "body", text: "", widthPx, roomPx };
  return overflows.length === 0 ? [unnamed] : overflows;
}

/** The width between the left and the right margin, in whole CSS px. */
function getContentWidth({ widthPx, margin }: PageBox): number {
  return Math.ceil(widthPx - margin.left - margin.right);
}

async function measureOverflow(
  page: IsolatedPage,
  html: string,
  roomPx: number,
): Promise<Overflow[]> {
  await page.setWindow(roomPx);
  return findWideElements(page, html, roomPx);
}

const MAX_ELEMENTS = 10;
const RIGHT_TO_LEFT = /^[^]{0,100}<html\b[^>]*\bdir="rtl"/i;

/** In right-to-left documents, elements that are too wide are cut off on the left. */
function isRightToLeft(html: string): boolean {
  return RIGHT_TO_LEFT.test(html);
}

/**
 * The outermost elements that are wider than the window, in document order, at most 10. For a long document, it reports
 * only the body.
 */
export async function findWideElements(
  page: IsolatedPage,
  html: string,
  roomPx: number,
): Promise<Overflow[]> {
  const { cssContentSize } = await page.send("Page.getLayoutMetrics");
  const widthPx = Math.floor(cssContentSize.width);
  if (widthPx <= roomPx) return [];
  if (isLong(html)) return [{ element: "body", text: "", widthPx, roomPx }];
  const snapshot = await page.send("DOMSnapshot.captureSnapshot", {
    computedStyles: SNAPSHOT_STYLES,
  });
  return selectOutermost(
    new LaidOutTree(snapshot),
    roomPx,
    isRightToLeft(html),
  );
}

/** Content that is clipped by an ancestor is clipped on purpose, and fixed elements are not content. */
function selectOutermost(
  tree: LaidOutTree,
  roomPx: number,
  isFromRight: boolean,
): Overflow[] {
  const named = new Set<number>();
  const overflows: Overflow[] = [];
  for (const { node, left, right } of tree.boxes) {
    const widthPx = Math.floor(isFromRight ? roomPx - left : right);
    if (widthPx <= roomPx || tree.isContained(node)) continue;
    const element = tree.getElement(node);
    if (tree.isWithin(element, named)) continue;
    named.add(element);
    const text = tree.getFirstWords(element);
    overflows.push({ element: tree.getName(element), text, widthPx, roomPx });
    if (overflows.length === MAX_ELEMENTS) break;
  }
  return overflows;
}

const DRAWING = /<(?:img|svg)\b/i;
/** A rule of some pages, other than the first: they may have another size. */
const OTHER_PAGES = /@page\b\s*(?![\s{]|:first\s*\{)\S/i;

/**
 * Images and codes that are taller than every page between its margins, so that they are cut across pages. Chromium
 * moves others to the next page. Nothing is found in a document whose pages may have different sizes.
 */
async function findTallDrawings(
  page: IsolatedPage,
  html: string,
  box: PageBox,
): Promise<Overflow[]> {
  if (!DRAWING.test(html) || OTHER_PAGES.test(html)) return [];
  const roomPx = getContentWidth(box);
  const { margin, firstMargin = margin } = box;
  const margins = [margin, firstMargin].map(({ top, bottom }) => top + bottom);
  const roomHeightPx = Math.ceil(box.heightPx - Math.min(...margins));
  await page.setWindow(roomPx);
  const { result, exceptionDetails } = await page.send("Runtime.evaluate", {
    expression: `(${TALL_SCRIPT})(${roomHeightPx}, ${TEXT_LENGTH})`,
    returnByValue: true,
  });
  if (exceptionDetails)
    throw new PlatenError(
      "render_failed",
      "The heights of images and codes could not be measured. Try again.",
      { cause: exceptionDetails },
    );
  const drawings: Omit<Overflow, "roomPx" | "roomHeightPx">[] = result.value;
  return drawings
    .slice(0, MAX_ELEMENTS)
    .map((drawing) => ({ ...drawing, roomPx, roomHeightPx }));
}

/** Runs in the page: `(roomPx, textLength) => overflows`. What is clipped, is so on purpose; fixed elements are no content. */
const TALL_SCRIPT = `(roomPx, textLength) => {
  const isContained = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const { position, overflowY } = getComputedStyle(at);
      if (position === "fixed" || (at !== element && overflowY !== "visible")) return true;
    }
    return false;
  };
  return Array.from(document.querySelectorAll("img,svg:not(svg svg)")).flatMap((element) => {
    const { width, height } = element.getBoundingClientRect();
    if (height < roomPx + 1 || isContained(element)) return [];
    const text = element.getAttribute("alt") ?? element.getAttribute("aria-label") ?? "";
    return {
      element: element.localName,
      text: text.slice(0, textLength),
      widthPx: Math.floor(width),
      heightPx: Math.floor(height),
    };
  });
}`;

type Snapshot = CdpResult<"DOMSnapshot.captureSnapshot">;

/** The styles that a snapshot must contain, in this order. */
const SNAPSHOT_STYLES = ["overflow-x", "position"];

/** The layout box of an element or a text. */
interface LaidOutBox {
  node: number;
  left: number;
  right: number;
}

const CUTS = /hidden|clip|auto|scroll/;
const TEXT = 3;
const TEXT_LENGTH = 60;

/** Nodes are numbers, in document order. */
class LaidOutTree {
  readonly boxes: readonly LaidOutBox[];
  readonly #nodes: Snapshot["documents"][number]["nodes"];
  readonly #strings: readonly string[];
  readonly #cutting = new Set<number>();
  readonly #fixed = new Set<number>();

  constructor({ documents: [document], strings }: Snapshot) {
    if (!document) throw new RangeError("the snapshot has no document");
    const { nodes, layout } = document;
    this.#nodes = nodes;
    this.#strings = strings;
    this.boxes = layout.nodeIndex.map((node, index) => {
      const [left = 0, , width = 0] = layout.bounds[index] ?? [];
      return { node, left, right: left + width };
    });
    for (const [index, node] of layout.nodeIndex.entries()) {
      const [overflow, position] = layout.styles[index] ?? [];
      if (CUTS.test(this.#string(overflow))) this.#cutting.add(node);
      if (this.#string(position) === "fixed") this.#fixed.add(node);
    }
  }

  /** The node itself, or the parent element of a text. */
  getElement(node: number): number {
    return this.#nodes.nodeType?.[node] === TEXT ? this.#getParent(node) : node;
  }

  /** Whether the node or one of its ancestors is among `nodes`. */
  isWithin(node: number, nodes: ReadonlySet<number>): boolean {
    for (let at = node; at >= 0; at = this.#getParent(at))
      if (nodes.has(at)) return true;
    return false;
  }

  /** Whether an ancestor clips the node, or it is within a fixed element. */
  isContained(node: number): boolean {
    return (
      this.isWithin(node, this.#fixed) ||
      this.isWithin(this.#getParent(node), this.#cutting)
    );
  }

  getName(element: number): string {
    return this.#string(this.#nodes.nodeName?.[element]).toLowerCase();
  }

  getFirstWords(element: number): string {
    const inside = new Set([element]);
    const { nodeType = [], nodeValue = [] } = this.#nodes;
    let text = "";
    for (let at = element + 1; at < nodeType.length; at += 1) {
      if (!inside.has(this.#getParent(at)) || text.length > TEXT_LENGTH) break;
      inside.add(at);
      if (nodeType[at] === TEXT) text += ` ${this.#string(nodeValue[at])}`;
    }
    return text.replace(/\s+/g, " ").trim().slice(0, TEXT_LENGTH);
  }

  #getParent(node: number): number {
    return this.#nodes.parentIndex?.[node] ?? -1;
  }

  #string(index: number | undefined): string {
    return this.#strings[index ?? -1] ?? "";
  }
}

/** Chromium prints 300 dots per inch, and CSS has 96 px per inch. */
const DOTS = 300 / 96;
/** The operators between the clip rectangle of a page's body and the matrix that scales the body. */
const CLIP = " re\nW* n\nq\n";
const MATRIX = " cm\n";
/** Longer than six numbers. */
const LINE = 150;

/** The body follows the headers, footers and background, which are usually small. */
const PACKED_BYTES = [2 * 1024, 64 * 1024];

/**
 * The scale at which a document was printed, read from the PDF: below 1 when Chromium shrank it to fit its pages. Null when
 * the PDF does not have the expected form.
 */
function readPrintScale(pdf: Buffer, page: PageBox): number | null {
  for (const packedBytes of PACKED_BYTES) {
    const scale = findScale(readFirstDrawing(pdf, packedBytes), page);
    if (scale !== null) return scale;
  }
  return null;
}

function findScale(drawing: Buffer, page: PageBox): number | null {
  for (
    let at = drawing.indexOf(CLIP);
    at >= 0;
    at = drawing.indexOf(CLIP, at + CLIP.length)
  ) {
    const before = drawing.toString("latin1", Math.max(0, at - LINE), at);
    const start = at + CLIP.length;
    const after = drawing.toString("latin1", start, start + LINE);
    const clip = before.slice(before.lastIndexOf("\n") + 1);
    const matrix = after.slice(0, after.indexOf(MATRIX));
    const scale = getBodyScale(clip.split(" "), matrix.split(" "), page);
    if (scale !== null) return scale;
  }
  return null;
}

/** Null when the clip rectangle is not that of the body but of a header, an image or the like. */
function getBodyScale(
  [x, y, width, height]: string[],
  [scaleX, , , scaleY, toX, toY]: string[],
  { widthPx, heightPx, margin, firstMargin = margin }: PageBox,
): number | null {
  const isBody =
    isNear(Number(width) / DOTS, widthPx - margin.left - margin.right) &&
    isNear(
      Number(height) / DOTS,
      heightPx - firstMargin.top - firstMargin.bottom,
    ) &&
    x === toX &&
    y === toY &&
    scaleX === scaleY;
  return isBody ? Number(scaleX) / DOTS : null;
}

/** Chromium rounds margins to whole px. */
function isNear(value: number, other: number): boolean {
  return Math.abs(value - other) <= 1;
}

/** About 40 pages of a table; printing more takes a third of a second or longer. */
const LONG_CHARACTERS = 256 * 1024;

/** A long document prints in a page pool of its own. Inlined images and fonts do not count, since they print fast. */
function isLong(html: string): boolean {
  if (html.length < LONG_CHARACTERS) return false;
  return stripDataUrls(html).length >= LONG_CHARACTERS;
}

/**
 * Inlined images and fonts do not count, since they have their own limits.
 * @throws PlatenError `too_large` past `limit` bytes: Chromium's time and memory grow faster than the document.
 */
export function assertPrintSize(html: string, limit: number): void {
  if (Buffer.byteLength(html) <= limit) return;
  const bytes = Buffer.byteLength(stripDataUrls(html));
  if (bytes <= limit) return;
  throw new PlatenError(
    "too_large",
    `The document is ${formatMegabytes(bytes)} MB of html, more than the limit of ${formatMegabytes(limit)} MB. ` +
      "Send fewer rows, or raise PLATEN_MAX_PRINT_BYTES.",
  );
}

function stripDataUrls(html: string): string {
  return html.replace(/data:[^"')\s]*/g, "");
}

function formatMegabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}

// Facts read from a PDF as Chromium writes it, without parsing it.

/**
 * Each node of the page tree is written in clear text with the number of pages below it, so the root has the largest
 * number. Titles cannot contain this text, since their line ends are escaped.
 */
const PAGE_TREE_NODE = "<</Type /Pages\n/Count ";
const PAGE = "<</Type /Page\n";
const CONTENTS = "/Contents ";
const STREAM = /\/Filter \/FlateDecode\n\/Length (\d+)>> stream\n/;
const EMBEDDED_FONT = /\/FontFile[23]?\s/;

/** Number of pages; 0 when Chromium did not write these bytes. */
export function countPages(pdf: Buffer): number {
  let pages = 0;
  let at = pdf.indexOf(PAGE_TREE_NODE);
  while (at >= 0) {
    const start = at + PAGE_TREE_NODE.length;
    const digits = pdf.toString("latin1", start, start + 10);
    pages = Math.max(pages, Number.parseInt(digits, 10));
    at = pdf.indexOf(PAGE_TREE_NODE, start);
  }
  return pages;
}

export function embedsFont(pdf: Buffer): boolean {
  return EMBEDDED_FONT.test(pdf.toString("latin1"));
}

/**
 * The drawing operators of the first page; empty when Chromium did not write these bytes.
 * @param packedBytes how much of the packed drawing is unpacked; of a larger one, only its beginning
 */
function readFirstDrawing(pdf: Buffer, packedBytes: number): Buffer {
  const page = pdf.indexOf(PAGE);
  const contents = pdf.indexOf(CONTENTS, page) + CONTENTS.length;
  const id = Number.parseInt(pdf.toString("latin1", contents, contents + 10));
  const object = pdf.indexOf(`\n${id} 0 obj\n`);
  if (page < 0 || object < 0) return Buffer.alloc(0);
  const head = STREAM.exec(pdf.toString("latin1", object, object + 100));
  if (!head) return Buffer.alloc(0);
  const start = object + head.index + head[0].length;
  const length = Math.min(Number(head[1]), packedBytes);
  return inflateSync(pdf.subarray(start, start + length), {
    finishFlush: constants.Z_SYNC_FLUSH,
  });
}
