import { PlatenError } from "../../plugin-api/index.js";
import type { IsolatedPage } from "../page-pool.js";
import type { Overflow, PageBox } from "../jobs.js";
import type { JoinRequest } from "./join-pages.js";

/** A shorter document is printed whole, which is faster and takes 512 MB at most. */
const MIN_PIECES = 4;

export interface PrintedLong {
  /** The parts to join; one piece without sheets is the whole document. */
  parts: JoinRequest & { pieces: { bytes: Buffer }[] };
  overflow: Overflow[];
}

/** Prints what the page shows. */
type Print = () => Promise<{ bytes: Buffer; pages: number }>;

/**
 * Prints the loaded document, which is long, in pieces of about `piecePages` pages, since the browser's time and memory grow faster than the
 * number of pages. Headers, footers and background are printed for all pages together, when their number is known.
 * @param layout `roomPx`: the width between the margins, in whole CSS px
 */
export async function printLong(
  page: IsolatedPage,
  layout: { box: PageBox; roomPx: number; piecePages: number },
  print: Print,
): Promise<PrintedLong> {
  const { box, roomPx, piecePages } = layout;
  const document = await SplitDocument.cut(page, roomPx, box);
  const { atoms, heightPx, overflowPx: widthPx } = document.facts;
  const bodyPx = box.heightPx - box.margin.top - box.margin.bottom;
  const pieceHeight = bodyPx * piecePages;
  const isShort = heightPx < pieceHeight * MIN_PIECES || atoms < 2;
  const parts = isShort
    ? { pieces: [await printWhole(print)] }
    : await printParts(document, pieceHeight, print);
  await document.release();
  const overflow =
    widthPx > 0 ? [{ element: "body", text: "", widthPx, roomPx }] : [];
  return { parts, overflow };
}

async function printWhole(print: Print): Promise<Piece> {
  const { bytes, pages } = await print();
  return { bytes, start: 0, end: pages };
}

async function printParts(
  document: SplitDocument,
  pieceHeight: number,
  print: Print,
) {
  await document.begin();
  const pieces = await printPieces(document, pieceHeight, print);
  const pages = pieces.reduce((sum, { start, end }) => sum + end - start, 0);
  await document.showSheets(pages);
  return { pieces, under: (await print()).bytes, dropNames: ATOM_NAMES };
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
  print: Print,
): Promise<Piece[]> {
  const pieces: Piece[] = [];
  let [from, height, isFlush] = [0, pieceHeight, false];
  for (;;) {
    const visibleRange = await document.show(from, height, isFlush);
    const { bytes, pages } = await print();
    const places = readAtomPlaces(bytes);
    const start = places.find(({ atom }) => atom === from)?.page ?? 0;
    if (visibleRange.to >= document.facts.atoms)
      return [...pieces, { bytes, start, end: pages }];
    const cut = chooseSplit(places, visibleRange);
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
  static async cut(
    page: IsolatedPage,
    roomPx: number,
    { margin, firstMargin }: PageBox,
  ): Promise<SplitDocument> {
    const margins = firstMargin ? [margin.top, margin.bottom] : null;
    const { result, exceptionDetails } = await page.send("Runtime.evaluate", {
      expression: `(${SPLIT_SCRIPT})(${roomPx}, ${JSON.stringify(ATOM_NAMES)}, ${JSON.stringify(margins)})`,
    });
    if (exceptionDetails || result.objectId === undefined)
      throw createSplitError(exceptionDetails);
    const facts = await callHandle<CutFacts>(page, result.objectId, "facts");
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
    return callHandle(this.page, this.handle, "show", from, heightPx, isFlush);
  }

  /** Called before the first piece is shown; until then the whole document is visible. */
  async begin(): Promise<void> {
    await callHandle(this.page, this.handle, "begin");
  }

  /** Replaces the document by empty pages with its headers, footers and background. */
  async showSheets(count: number): Promise<void> {
    await callHandle(this.page, this.handle, "showSheets", count);
  }

  /** Called after the last print: otherwise the page would keep the document in memory. */
  async release(): Promise<void> {
    await this.page.send("Runtime.releaseObject", { objectId: this.handle });
    await this.page.send("HeapProfiler.collectGarbage");
  }
}

async function callHandle<T>(
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
  if (exceptionDetails) throw createSplitError(exceptionDetails);
  return result.value;
}

function createSplitError(cause: unknown): PlatenError {
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

function isNear(value: number, other: number): boolean {
  return Math.abs(value - other) <= TOLERANCE_PX;
}

/** Where an atom of a piece begins: on which page, and how far below the page's upper margin, in CSS px. */
interface AtomPlace {
  atom: number;
  page: number;
  topPx: number;
}

const PAGE_OBJECT = /\n(\d+) 0 obj\n<<\/Type \/Page\n/g;
const PAPER = /\/MediaBox \[0 0 \S+ ([\d.]+)\]/;
const ATOM_PLACE = new RegExp(
  `/${ATOM_NAMES}(\\d+) \\[(\\d+) 0 R /XYZ \\S+ (\\S+) `,
  "g",
);
const POINTS_TO_PX = 96 / 72;

/** Reads the positions of atoms from Chromium's PDF, which contains the positions of all link targets. */
function readAtomPlaces(pdf: Buffer): AtomPlace[] {
  const text = pdf.toString("latin1");
  const height = Number(PAPER.exec(text)?.[1]);
  const pages = new Map<string, number>();
  for (const [, id = ""] of text.matchAll(PAGE_OBJECT))
    pages.set(id, pages.size);
  const places = Array.from(
    text.matchAll(ATOM_PLACE),
    ([, atom, page = "", y]): AtomPlace => ({
      atom: Number(atom),
      page: pages.get(page) ?? -1,
      topPx: (height - Number(y)) * POINTS_TO_PX,
    }),
  );
  return places.toSorted((a, b) => a.atom - b.atom);
}

/**
 * Runs in the page: `(body) => { atoms, tables }`. An atom is a list of elements that are never cut: a row of a table
 * with those that its cells reach into, or a child of a plain block. Fixed and invisible elements are not atoms and
 * stay on every page. `tables` are those whose rows are atoms.
 */
const FIND_ATOMS_SCRIPT = `(body) => {
  const atoms = [];
  const tables = [];
  const BLOCKS = new Set(["block", "flow-root", "list-item", "table", "flex", "grid"]);
  const PARTS = new Set(["CAPTION", "COLGROUP", "THEAD", "TBODY"]);
  const FREE = { height: ["auto"], "min-height": ["auto", "0px"], "column-count": ["auto"], "column-width": ["auto"] };

  const isShown = (element) => {
    const { display, position } = getComputedStyle(element);
    return display !== "none" && position !== "fixed";
  };
  const isInFlow = ({ position, float, transform }) =>
    (position === "static" || position === "relative") && float === "none" && transform === "none";
  const isFree = (element) => {
    const styles = element.computedStyleMap();
    return Object.entries(FREE).every(([name, values]) => values.includes(String(styles.get(name))));
  };
  const mayBeCut = (element, display) => {
    const own = getComputedStyle(element);
    return own.display === display && own.overflow === "visible" && own.breakInside === "auto" &&
      isInFlow(own) && isFree(element);
  };
  const children = (element) => Array.from(element.children).filter(isShown);
  const hasText = (element) =>
    Array.from(element.childNodes).some((node) => node.nodeType === 3 && node.data.trim() !== "");
  const isBlockInFlow = (element) => {
    const own = getComputedStyle(element);
    return BLOCKS.has(own.display) && isInFlow(own);
  };
  const isPlainBlock = (element) => {
    if (!mayBeCut(element, "block") || hasText(element)) return false;
    const inside = children(element);
    return inside.length > 0 && inside.every(isBlockInFlow);
  };
  const isPlainTable = (element) =>
    element.tagName === "TABLE" && mayBeCut(element, "table") &&
    element.rows.length > 2 && Array.from(element.children).every(({ tagName }) => PARTS.has(tagName));

  const addRows = (table) => {
    tables.push(table);
    let spanned = 0;
    for (const row of Array.from(table.tBodies).flatMap(({ rows }) => Array.from(rows))) {
      if (spanned > 0) atoms.at(-1).push(row);
      else atoms.push([row]);
      spanned = Math.max(spanned, ...Array.from(row.cells, ({ rowSpan }) => rowSpan)) - 1;
    }
  };
  const divide = (element) => {
    for (const child of children(element))
      if (isPlainTable(child)) addRows(child);
      else if (isPlainBlock(child)) divide(child);
      else atoms.push([child]);
  };
  divide(body);
  return { atoms, tables };
}`;

/**
 * Runs in the page: `(tables, make, measure) => measured`. Gives tables the widths of columns that all their rows together
 * ask for, so that they are the same in each piece. What else depends on all of the document being there is measured
 * by `measure` meanwhile.
 */
const FIX_COLUMNS_SCRIPT = `(tables, make, measure) => {
  const columnsOf = (table) => {
    const own = () => Array.from(table.querySelectorAll(":scope > colgroup > col"));
    const cells = Array.from(table.rows, (row) => Array.from(row.cells).reduce((sum, { colSpan }) => sum + colSpan, 0));
    const count = cells.reduce((most, one) => Math.max(most, one), 0);
    const missing = own().reduce((left, { span }) => left - span, count);
    if (missing > 0) {
      const group = make("colgroup");
      group.append(...Array.from({ length: missing }, () => make("col")));
      table.insertBefore(group, table.tHead ?? table.tBodies[0]);
    }
    return own();
  };
  const widthOf = (element) => element.getBoundingClientRect().width / (element.currentCSSZoom ?? 1);

  const columns = tables.map(columnsOf);
  const sizes = tables.map((table, index) => ({
    width: widthOf(table),
    columns: columns[index].map((column) => widthOf(column) / column.span),
  }));
  const measured = measure();
  const set = (element, name, value) => element.style.setProperty(name, value, "important");
  tables.forEach((table, index) => {
    set(table, "table-layout", "fixed");
    set(table, "width", sizes[index].width + "px");
    columns[index].forEach((column, at) => set(column, "width", sizes[index].columns[at] + "px"));
  });
  return measured;
}`;

const MARGIN_BOXES = ["top", "bottom"]
  .flatMap((edge) => ["left", "center", "right"].map((box) => `${edge}-${box}`))
  .map((box) => `@${box}{content:none!important}`)
  .join("");

const PAGES = ["@page", "@page :first"]
  .map((page) => `${page}{background:none!important;${MARGIN_BOXES}}`)
  .join("");

/**
 * Styles of a document that is shown in pieces. Headers, footers and background are not printed with them, but for
 * all pages at once. Attributes: `off` is not shown; `on` began in a piece before; `first` begins a page; `flush`
 * has no margin above it.
 */
const PIECE_STYLE = `${PAGES}
[data-piece-off]{display:none!important}
[data-piece-first]{break-before:page!important}
[data-piece-flush],[data-piece-on]{margin-top:0!important}
[data-piece-on]:not(table){padding-top:0!important;border-top:0!important}
[data-piece-on]>caption{display:none!important}`;

/**
 * Runs in the page; documents themselves cannot run scripts: `(pageWidth, names, laterMargins) => cut`, see
 * `SplitDocument`. `laterMargins` are the upper and the lower margin after the first page, null if they are the same there. It shows one run of atoms after the other. What is not shown stays in the document, so that every
 * selector, `:nth-child` among them, means the same in each piece.
 */
const SPLIT_SCRIPT = `(pageWidth, names, laterMargins) => {
  // Elements with names hide what the document itself has under them.
  const [root, head, body] = ["documentElement", "head", "body"].map((name) => Reflect.get(Document.prototype, name, document));
  const make = Document.prototype.createElement.bind(document);
  const { atoms, tables } = (${FIND_ATOMS_SCRIPT})(body);
  const style = make("style");
  style.textContent = ${JSON.stringify(PIECE_STYLE)};
  const laterStyle = make("style");
  if (laterMargins) laterStyle.textContent = "@page :first{margin-top:" + laterMargins[0] + "px!important;margin-bottom:" + laterMargins[1] + "px!important}";
  const links = make("div");
  links.hidden = true;
  const strut = make("div");

  // The browser prints a document that is too wide smaller, and then lays it out as wide as it is.
  const tooWide = root.scrollWidth > pageWidth ? Math.min(root.scrollWidth, Math.floor(pageWidth * 1.5)) : 0;
  const isWidened = tooWide > 0 && getComputedStyle(root).direction === "ltr";
  if (isWidened) root.style.setProperty("width", tooWide + "px", "important");
  const firsts = atoms.map(([first]) => first);
  const { heights, tops, margins, height } = (${FIX_COLUMNS_SCRIPT})(tables, make, () => ({
    heights: new Map(tables.map((table) => [table, table.tHead?.getBoundingClientRect().height ?? 0])),
    tops: firsts.map((first) => first.getBoundingClientRect().top),
    margins: firsts.map((first) => (tableOf(first) ? 0 : parseFloat(getComputedStyle(first).marginTop) || 0)),
    height: root.scrollHeight,
  }));
  if (isWidened) root.style.removeProperty("width");
  strut.style = "position:absolute;top:0;left:0;height:1px;visibility:hidden;width:" + (isWidened ? tooWide : 0) + "px";

  for (const list of new Set(firsts.map((first) => first.parentElement)))
    if (list.tagName === "OL") {
      let number = list.start;
      for (const item of list.children) if (item.tagName === "LI") item.value = number++;
    }
  firsts.forEach((first, index) => { if (!first.id) first.id = names + index; });

  let shown = new Set();
  let marked = [];
  const mark = (element, name) => { element.setAttribute(name, ""); marked.push([element, name]); };
  function tableOf(first) { return first.tagName === "TR" ? first.closest("table") : null; }
  const around = ([first]) => {
    const found = [];
    for (let at = first.parentElement; at && at !== body; at = at.parentElement) found.push(at);
    return found;
  };
  const partsOf = (from, to) =>
    new Set(atoms.slice(from, to).flatMap((atom) => [...atom, ...around(atom)]));
  // The row before a row has a say in the line between it and the head of the table: it is shown, on a page of its own.
  const leadOf = (from) => {
    const table = from > 0 && firsts[from].id.startsWith(names) ? tableOf(firsts[from]) : null;
    return table && table === tableOf(firsts[from - 1]) ? from - 1 : from;
  };
  const dropMargins = (first) => {
    for (let at = first; at; at = at.firstElementChild) {
      const { display, paddingTop, borderTopWidth } = getComputedStyle(at);
      if (display !== "block") break;
      mark(at, "data-piece-flush");
      if (parseFloat(paddingTop) + parseFloat(borderTopWidth) > 0 || at.firstChild?.nodeType === 3) break;
    }
  };
  const begin = (from, isFlush) => {
    const before = new Set(around(atoms[from - 1]));
    for (const part of around(atoms[from])) if (before.has(part)) mark(part, "data-piece-on");
    if (isFlush) dropMargins(firsts[from]);
  };

  return {
    facts: () => ({ atoms: atoms.length, heightPx: height, overflowPx: tooWide }),
    begin() {
      head.append(style);
      body.append(links, strut);
      for (const part of partsOf(0, atoms.length)) part.toggleAttribute("data-piece-off", true);
    },
    show(from, heightPx, isFlush) {
      for (const part of shown) part.toggleAttribute("data-piece-off", true);
      for (const [element, name] of marked) element.removeAttribute(name);
      marked = [];
      const beyond = tops.findIndex((top, index) => index > from && top - tops[from] >= heightPx);
      const to = beyond < 0 ? atoms.length : beyond;
      const lead = leadOf(from);
      shown = partsOf(lead, to);
      for (const part of shown) part.toggleAttribute("data-piece-off", false);
      if (lead < from) mark(firsts[from], "data-piece-first");
      if (from > 0) {
        begin(from, isFlush);
        if (laterMargins) head.append(laterStyle);
      }
      const named = firsts.slice(from, to).filter(({ id }) => id.startsWith(names));
      links.replaceChildren(...named.map(({ id }) => {
        const link = make("a");
        link.setAttribute("href", "#" + id);
        return link;
      }));
      const heads = firsts.slice(from, to).map((first) => heights.get(tableOf(first)) ?? 0);
      return { from, to, heads, margins: margins.slice(from, to) };
    },
    showSheets(count) {
      style.remove();
      laterStyle.remove();
      const sheet = '<div style="height:1px;break-after:page"></div>';
      body.innerHTML = sheet.repeat(count - 1) + '<div style="height:1px"></div>';
    },
  };
}`;
