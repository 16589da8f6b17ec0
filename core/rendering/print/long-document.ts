import { PlatenError } from "../../plugin-api/index.js";
import type { Overflow, PageBox } from "../jobs.js";
import type { IsolatedPage } from "../isolated-page.js";
import type { JoinRequest } from "./join-worker.js";
import { SPLIT_SCRIPT } from "./cut-script.js";
import { getContentWidth } from "./overflow.js";
import { countPages } from "./pdf-facts.js";

/** A shorter document is printed whole, which is faster and takes 512 MB at most. */
const MIN_PIECES = 4;

export interface PrintedLong {
  /** The parts to join; one piece without sheets is the whole document. */
  parts: JoinRequest & { pieces: { bytes: Buffer }[] };
  overflow: Overflow[];
}

/**
 * Prints a long document in pieces of about `piecePages` pages, since the browser's time and memory grow faster than the
 * number of pages. Headers, footers and background are printed for all pages together, when their number is known.
 * @param print prints what the page shows
 */
export async function printLong(
  page: IsolatedPage,
  html: string,
  { box, piecePages }: { box: PageBox; piecePages: number },
  print: () => Promise<Buffer>,
): Promise<PrintedLong> {
  const roomPx = getContentWidth(box);
  await page.setWindow(roomPx);
  await page.write(html);
  const document = await SplitDocument.cut(page, roomPx);
  const { atoms, heightPx, overflowPx } = document.facts;
  const bodyPx = box.heightPx - box.margin.top - box.margin.bottom;
  const isShort = heightPx < bodyPx * piecePages * MIN_PIECES;
  const parts =
    isShort || atoms < 2
      ? await printWhole(print)
      : await printParts(document, bodyPx * piecePages, print);
  await document.release();
  return { parts, overflow: overflowOf(overflowPx, roomPx) };
}

async function printWhole(print: () => Promise<Buffer>) {
  const bytes = await print();
  return { pieces: [{ bytes, start: 0, end: countPages(bytes) }] };
}

async function printParts(
  document: SplitDocument,
  pieceHeight: number,
  print: () => Promise<Buffer>,
) {
  await document.begin();
  const pieces = await printPieces(document, pieceHeight, print);
  const pages = pieces.reduce((sum, { start, end }) => sum + end - start, 0);
  await document.showSheets(pages);
  return { pieces, under: await print(), dropNames: ATOM_NAMES };
}

function overflowOf(widthPx: number, roomPx: number): Overflow[] {
  return widthPx > 0 ? [{ element: "body", text: "", widthPx, roomPx }] : [];
}

/** A PDF and the range of its pages that belong to the document, from index `start` to before `end`. */
interface Piece {
  bytes: Buffer;
  start: number;
  end: number;
}

/**
 * Prints one piece of a document after the other, with the same page breaks as if it were printed whole: the last page of
 * a piece, which may not be full, is printed again at the beginning of the next.
 * @param pieceHeight in CSS px; a piece that cannot be cut is printed again with twice as much
 */
async function printPieces(
  document: SplitDocument,
  pieceHeight: number,
  print: () => Promise<Buffer>,
): Promise<Piece[]> {
  const pieces: Piece[] = [];
  let [from, height, isFlush] = [0, pieceHeight, false];
  for (;;) {
    const shown = await document.show(from, height, isFlush);
    const bytes = await print();
    const places = readAtomPlaces(bytes, ATOM_NAMES);
    const start = places.find(({ atom }) => atom === from)?.page ?? 0;
    if (shown.to >= document.facts.atoms)
      return [...pieces, { bytes, start, end: countPages(bytes) }];
    const cut = chooseSplit(places, shown);
    height = cut ? pieceHeight : height * 2;
    if (cut === null) continue;
    pieces.push({ bytes, start, end: cut.end });
    [from, isFlush] = [cut.next, cut.isFlush];
  }
}

/** Prefix of the names of atoms, in the document and in its PDF. */
const ATOM_NAMES = "platen-piece-";

interface CutFacts {
  /** How many atoms there are. */
  atoms: number;
  /** Height of the whole document without page breaks, in CSS px. */
  heightPx: number;
  /** Its width if it is wider than the page's content area, else 0. */
  overflowPx: number;
}

/** A document that is loaded into a page and shown there piece by piece. */
class SplitDocument {
  private constructor(
    private readonly page: IsolatedPage,
    private readonly handle: string,
    readonly facts: CutFacts,
  ) {}

  /** Cuts the document that was written into `page`. @param roomPx between its margins, in whole CSS px */
  static async cut(page: IsolatedPage, roomPx: number): Promise<SplitDocument> {
    await page.setWindow(roomPx);
    const { result, exceptionDetails } = await page.send("Runtime.evaluate", {
      expression: `(${SPLIT_SCRIPT})(${roomPx}, ${JSON.stringify(ATOM_NAMES)})`,
    });
    if (exceptionDetails || result.objectId === undefined)
      throw splitError(exceptionDetails);
    const facts = await call<CutFacts>(page, result.objectId, "facts");
    return new SplitDocument(page, result.objectId, facts);
  }

  /**
   * Shows the atoms from number `from` on, about `heightPx` of them.
   * @param isFlush without the margin above the first
   * @returns what is known of them, and the number of the atom after them
   */
  show(
    from: number,
    heightPx: number,
    isFlush: boolean,
  ): Promise<Heads & { to: number }> {
    return call(this.page, this.handle, "show", from, heightPx, isFlush);
  }

  /** Called before the first piece is shown; until then the whole document is visible. */
  async begin(): Promise<void> {
    await call(this.page, this.handle, "begin");
  }

  /** Replaces the document by empty pages with its headers, footers and background. */
  async showSheets(count: number): Promise<void> {
    await call(this.page, this.handle, "showSheets", count);
  }

  /** Called after the last print: otherwise the page would keep the document in memory. */
  async release(): Promise<void> {
    await this.page.send("Runtime.releaseObject", { objectId: this.handle });
    await this.page.send("HeapProfiler.collectGarbage");
  }
}

async function call<T>(
  page: IsolatedPage,
  objectId: string,
  method: string,
  ...values: (number | boolean)[]
): Promise<T> {
  const { result, exceptionDetails } = await page.send(
    "Runtime.callFunctionOn",
    {
      objectId,
      functionDeclaration: `function (...values) { return this.${method}(...values); }`,
      arguments: values.map((value) => ({ value })),
      returnByValue: true,
    },
  );
  if (exceptionDetails) throw splitError(exceptionDetails);
  return result.value;
}

function splitError(cause: unknown): PlatenError {
  return new PlatenError(
    "render_failed",
    "This long document could not be split into pieces. Try again with fewer rows.",
    { cause },
  );
}

/** How far below the top of a page an atom may start and still be the first on it, in CSS px. */
interface Heads {
  /** The number of the piece's first atom. */
  from: number;
  /** Of each atom: height of the table head that is printed above it when it begins a page. */
  heads: readonly number[];
  /** Of each atom: its upper margin. */
  margins: readonly number[];
}

/** A piece ends with a full page, and the next begins with the first atom of the following page. */
interface Cut {
  /** How many of its pages belong to the document, with those that come before. */
  end: number;
  next: number;
  /** Whether that atom starts its page without its top margin, as it does unless a page break precedes it. */
  isFlush: boolean;
}

const TOLERANCE_PX = 1.5;

/** The last possible split; null when no page except the first begins with an atom. */
function chooseSplit(places: readonly AtomPlace[], heads: Heads): Cut | null {
  const firsts = new Map<number, AtomPlace>();
  for (const place of places)
    if (!firsts.has(place.page)) firsts.set(place.page, place);
  const candidates = [...firsts.values()].toSorted((a, b) => b.page - a.page);
  for (const { atom, page, topPx } of candidates) {
    if (atom === heads.from) continue;
    const index = atom - heads.from;
    const head = heads.heads[index] ?? 0;
    const margin = heads.margins[index] ?? 0;
    const isFlush = isNear(topPx, head);
    if (isFlush || isNear(topPx, margin))
      return { end: page, next: atom, isFlush };
  }
  return null;
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= TOLERANCE_PX;
}

/** Where an atom of a piece begins: on which page, and how far below the page's upper margin, in CSS px. */
interface AtomPlace {
  atom: number;
  page: number;
  topPx: number;
}

const PAGE_OBJECT = /\n(\d+) 0 obj\n<<\/Type \/Page\n/g;
const PAPER = /\/MediaBox \[0 0 \S+ ([\d.]+)\]/;
const POINTS_TO_PX = 96 / 72;

/**
 * Reads the positions of atoms from Chromium's PDF, which contains the positions of all link targets.
 * @param names prefix of the names of atoms, which a number follows
 */
function readAtomPlaces(pdf: Buffer, names: string): AtomPlace[] {
  const text = pdf.toString("latin1");
  const height = Number(PAPER.exec(text)?.[1]);
  const pages = new Map<string, number>();
  for (const [, id = ""] of text.matchAll(PAGE_OBJECT))
    pages.set(id, pages.size);
  const place = new RegExp(
    `/${names}(\\d+) \\[(\\d+) 0 R /XYZ \\S+ (\\S+) `,
    "g",
  );
  const places = Array.from(
    text.matchAll(place),
    ([, atom, page = "", y]): AtomPlace => ({
      atom: Number(atom),
      page: pages.get(page) ?? -1,
      topPx: (height - Number(y)) * POINTS_TO_PX,
    }),
  );
  return places.toSorted((a, b) => a.atom - b.atom);
}
