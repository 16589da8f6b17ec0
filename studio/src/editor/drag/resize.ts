import { locale } from "../../messages/index.js";
import { type Box, findElement, getRects } from "../canvas/boxes.js";
import {
  type ColumnRow,
  getLengths,
  getScale,
  measureColumnRow,
} from "../canvas/column-boundaries.js";
import { findSizedElement } from "../canvas/resize-handles.js";
import type { Editor } from "../model/editor.js";
import { resizeColumns, resizeComponent } from "../model/resize.js";
import type { Entry } from "../model/tree.js";
import type { Gesture, Point } from "./gesture.js";

/** Creates the gesture of the handle that is pressed; null if none is. */
export function findResize(
  editor: Editor,
  pressed: PointerEvent,
): (() => Gesture) | null {
  const { target, clientX: x, clientY: y } = pressed;
  const handle =
    target instanceof Element && target.closest<HTMLElement>("[data-owner]");
  const place = handle && handle.closest(".sheet-place");
  if (!place) return null;
  const { owner = "", index = "0", side } = handle.dataset;
  const start = { x, y };
  if (side !== undefined) {
    const entry = editor.tree.peek().entries.get(owner);
    const element = entry && findSizedElement(place, entry);
    return element
      ? () => new SizeResize(editor, { entry, element, side, start })
      : null;
  }
  const row = measureColumnRow(editor, place, owner);
  return row
    ? () =>
        new ColumnResize(editor, { place, row, index: Number(index), start })
    : null;
}

/** In CSS px of the window: how near something must be to be aligned with. */
const SNAP_DISTANCE = 5;
/** In CSS px. */
const MIN_LENGTH = 12;
const PX_PER_MM = 96 / 25.4;

/** With Alt or Ctrl held, nothing is aligned or rounded. */
function isSnapping({ altKey, ctrlKey, metaKey }: PointerEvent): boolean {
  return !altKey && !ctrlKey && !metaKey;
}

/**
 * The length that is nearest among those that align it with something; else a whole number of millimetres, or of px in an
 * email.
 * @param length in CSS px, as are the others
 */
function snap(
  editor: Editor,
  length: number,
  { aligned, scale }: { aligned: readonly number[]; scale: number },
): { length: number; isAligned: boolean } {
  const getDistance = (candidate: number) => Math.abs(candidate - length);
  const [nearest] = aligned.toSorted(
    (candidate, other) => getDistance(candidate) - getDistance(other),
  );
  if (nearest !== undefined && getDistance(nearest) * scale <= SNAP_DISTANCE)
    return { length: nearest, isAligned: true };
  const unit = editor.templateType === "email" ? 1 : PX_PER_MM;
  return { length: Math.round(length / unit) * unit, isAligned: false };
}

/** The left and right edges of all other components, in CSS px of the window. */
function listEdges(place: Element, except: Element): number[] {
  const others = [...place.querySelectorAll(".sheet [data-id]")].filter(
    (element) => !except.contains(element),
  );
  const edges = others
    .flatMap(getRects)
    .flatMap(({ left, width }) => [left, left + width]);
  return [...new Set(edges.map((edge) => Math.round(edge * 2) / 2))];
}

const millimeters = new Intl.NumberFormat(locale, {
  style: "unit",
  unit: "millimeter",
  maximumFractionDigits: 1,
});

/** A length in CSS px for people. */
function formatPx(editor: Editor, px: number): string {
  return editor.templateType === "email"
    ? `${Math.round(px)} px`
    : millimeters.format(px / PX_PER_MM);
}

interface ColumnResizeStart {
  place: Element;
  row: ColumnRow;
  /** The column before the boundary. */
  index: number;
  start: Point;
}

/** Moves the boundary between two columns; the columns follow when it is released. */
class ColumnResize implements Gesture {
  readonly #scale: number;
  readonly #widths: readonly number[];
  readonly #aligned: readonly number[];
  #width: number;

  constructor(
    readonly editor: Editor,
    readonly from: ColumnResizeStart,
  ) {
    const { place, row, index } = from;
    this.#scale = getScale(place);
    this.#widths = getLengths(row).map((px) => px / this.#scale);
    this.#width = this.#widths[index] ?? 0;
    const owner = findElement(place, row.ownerId) ?? place;
    this.#aligned = [
      ...this.#listEqualShares(),
      ...listEdges(place, owner).flatMap((x) => this.#listWidthsTo(x)),
    ];
    document.documentElement.classList.add("resizing");
  }

  move(at: Point, event: PointerEvent): void {
    const { editor, from } = this;
    const { row, index, start } = from;
    const before = this.#widths[index] ?? 0;
    const pair = before + (this.#widths[index + 1] ?? 0);
    const sign = row.isMirrored ? -1 : 1;
    const free = before + ((at.x - start.x) * sign) / this.#scale;
    const inside = (length: number) =>
      Math.min(pair - MIN_LENGTH, Math.max(MIN_LENGTH, length));
    const snapped = isSnapping(event)
      ? snap(editor, free, { aligned: this.#aligned, scale: this.#scale })
      : { length: free, isAligned: false };
    this.#width = inside(snapped.length);
    const moved = (this.#width - before) * this.#scale * sign;
    const boundary = (row.columns[index]?.end ?? 0) + moved;
    const gap =
      ((row.columns[index + 1]?.start ?? 0) - (row.columns[index]?.end ?? 0)) /
      2;
    const lengths = [this.#width, pair - this.#width];
    editor.drag.resizing.value = {
      label: lengths.map((px) => formatPx(editor, px)).join(" | "),
      point: at,
      line: { left: boundary + gap, ...getExtent(row.rects) },
      isAligned: snapped.isAligned && this.#width === snapped.length,
    };
  }

  end(): void {
    this.cancel();
    const { ownerId } = this.from.row;
    const { index } = this.from;
    if (this.#width === this.#widths[index]) return;
    resizeColumns(this.editor, {
      ownerId,
      widths: this.#widths,
      index,
      width: this.#width,
    });
  }

  cancel(): void {
    this.editor.drag.resizing.value = null;
    document.documentElement.classList.remove("resizing");
  }

  /** Both columns alike, and the boundary where it is if all columns are alike. */
  #listEqualShares(): number[] {
    const { index } = this.from;
    const widths = this.#widths;
    const sum = widths.reduce((all, width) => all + width, 0);
    const before = widths
      .slice(0, index)
      .reduce((all, width) => all + width, 0);
    const pair = (widths[index] ?? 0) + (widths[index + 1] ?? 0);
    return [pair / 2, (sum * (index + 1)) / widths.length - before];
  }

  /** The widths with which one of the two columns ends or begins at a place of the window. */
  #listWidthsTo(x: number): number[] {
    const { row, index } = this.from;
    const sign = row.isMirrored ? -1 : 1;
    const { end = 0 } = row.columns[index] ?? {};
    const { start = end } = row.columns[index + 1] ?? {};
    return [end, start].map(
      (edge) => (this.#widths[index] ?? 0) + ((x - edge) * sign) / this.#scale,
    );
  }
}

function getExtent(rects: readonly Box[]): { top: number; height: number } {
  const top = Math.min(...rects.map((rect) => rect.top));
  const bottom = Math.max(...rects.map((rect) => rect.top + rect.height));
  return { top, height: bottom - top };
}

interface SizeResizeStart {
  entry: Entry;
  /** The image or code. */
  element: HTMLElement | SVGElement;
  /** "width", "height" or "both". */
  side: string;
  start: Point;
}

/** The parts of the available width that an image is aligned with. */
const SHARES = [1 / 4, 1 / 3, 1 / 2, 2 / 3, 3 / 4, 1];

/** Changes the size of an image or a code, which follows the pointer. */
class SizeResize implements Gesture {
  readonly #scale: number;
  readonly #before: { width: number; height: number };
  readonly #fullWidth: number;
  readonly #aligned: readonly number[];
  readonly #style: string;
  #size: { width?: number; height?: number } = {};

  constructor(
    readonly editor: Editor,
    readonly from: SizeResizeStart,
  ) {
    const { element } = from;
    this.#scale = getScale(element);
    const box = element.getBoundingClientRect();
    this.#before = {
      width: box.width / this.#scale,
      height: box.height / this.#scale,
    };
    const around = element.parentElement?.getBoundingClientRect() ?? box;
    this.#fullWidth = around.width / this.#scale;
    const place = element.closest(".sheet-place") ?? element;
    const edges = listEdges(place, element.closest("[data-id]") ?? element);
    this.#aligned = [
      ...SHARES.map((share) => share * this.#fullWidth),
      ...edges.map((x) => (x - box.left) / this.#scale),
    ].filter((width) => width > MIN_LENGTH);
    this.#style = element.style.cssText;
    document.documentElement.classList.add("resizing");
  }

  move(at: Point, event: PointerEvent): void {
    const { editor, from } = this;
    const { element, side, start } = from;
    const { width, height } = this.#before;
    const to = (length: number, by: number, aligned: readonly number[]) => {
      const free = Math.max(MIN_LENGTH, length + by / this.#scale);
      return isSnapping(event)
        ? snap(editor, free, { aligned, scale: this.#scale })
        : { length: free, isAligned: false };
    };
    const across = to(width, at.x - start.x, this.#aligned);
    const down = to(height, at.y - start.y, []);
    const proportional = (across.length / width) * height;
    this.#size =
      side === "height"
        ? { height: down.length }
        : {
            width: across.length,
            ...(side === "both" &&
              this.#hasHeight() && { height: proportional }),
          };
    if (this.#size.width !== undefined)
      element.style.width = `${this.#size.width}px`;
    if (this.#size.height !== undefined)
      element.style.height = `${this.#size.height}px`;
    const rect = element.getBoundingClientRect();
    const lengths = [rect.width, rect.height];
    editor.drag.resizing.value = {
      label: lengths
        .map((px) => formatPx(editor, px / this.#scale))
        .join(" × "),
      point: at,
      line: null,
      isAligned: side !== "height" && across.isAligned,
    };
  }

  end(): void {
    this.cancel();
    const { width, height } = this.#size;
    const isChanged =
      (width !== undefined && width !== this.#before.width) ||
      (height !== undefined && height !== this.#before.height);
    if (isChanged)
      resizeComponent(this.editor, this.from.entry, {
        ...this.#size,
        fullWidth: this.#fullWidth,
      });
  }

  cancel(): void {
    const { element } = this.from;
    // The next render compares with the style that it has set itself. The page's policy forbids to set the attribute.
    element.style.cssText = this.#style;
    this.editor.drag.resizing.value = null;
    document.documentElement.classList.remove("resizing");
  }

  #hasHeight(): boolean {
    const { component } = this.from.entry;
    return component.type === "image" && component.height !== undefined;
  }
}
