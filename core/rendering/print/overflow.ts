import type { CdpResult } from "../browser/cdp.js";
import type { Overflow, PageBox } from "../jobs.js";
import type { IsolatedPage } from "../isolated-page.js";
import { isLong } from "../size-limits.js";
import { readFirstDrawing } from "./pdf-facts.js";

/**
 * Finds what of a document is wider than its pages, right after it was printed. Only when the PDF's scale shows that
 * something is too wide, the document is laid out again to find the elements, unless it is long.
 */
export async function findOverflow(
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
  const found = isLong(html) ? [] : await measureOverflow(page, html, roomPx);
  const unnamed = { element: "body", text: "", widthPx, roomPx };
  return found.length === 0 ? [unnamed] : found;
}

/** The width between the left and the right margin, in whole CSS px. */
export function getContentWidth({ widthPx, margin }: PageBox): number {
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
export function isRightToLeft(html: string): boolean {
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
  const found: Overflow[] = [];
  for (const { node, left, right } of tree.boxes) {
    const widthPx = Math.floor(isFromRight ? roomPx - left : right);
    if (widthPx <= roomPx || tree.isContained(node)) continue;
    const element = tree.getElement(node);
    if (tree.isWithin(element, named)) continue;
    named.add(element);
    const text = tree.getFirstWords(element);
    found.push({ element: tree.getName(element), text, widthPx, roomPx });
    if (found.length === MAX_ELEMENTS) break;
  }
  return found;
}

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

/** The layout of a document. Nodes are numbers, in document order. */
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

  /** The first words in an element. */
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
  { widthPx, heightPx, margin }: PageBox,
): number | null {
  const isBody =
    isNear(Number(width) / DOTS, widthPx - margin.left - margin.right) &&
    isNear(Number(height) / DOTS, heightPx - margin.top - margin.bottom) &&
    x === toX &&
    y === toY &&
    scaleX === scaleY;
  return isBody ? Number(scaleX) / DOTS : null;
}

/** Chromium rounds margins to whole px. */
function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= 1;
}
