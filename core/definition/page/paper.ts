import { PlatenError } from "../../plugin-api/errors.js";
import type {
  Margin,
  PageSetup,
  PageSize,
  RenderOptions,
} from "../schema/output-schema.js";
import { toPx } from "./layout.js";

// The studio's pages load this file, as they load layout.ts.

export interface Sides {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

/** The dimensions of a page, in CSS px. */
export interface Paper {
  widthPx: number;
  heightPx: number;
  margin: Sides;
  /** Those of the first page; they differ when it has a taller header or footer. */
  firstMargin: Sides;
  /** The width between the left and the right margin. */
  contentPx: number;
  /** The width and height as given, for `@page`: rounding to px would change the size of the PDF. */
  cssSize: string;
  scale: number;
}

/** Width and height in portrait orientation. */
export const SIZES: Record<
  Exclude<PageSize, "Custom">,
  readonly [string, string]
> = {
  A3: ["297mm", "420mm"],
  A4: ["210mm", "297mm"],
  A5: ["148mm", "210mm"],
  Letter: ["8.5in", "11in"],
  Legal: ["8.5in", "14in"],
  Tabloid: ["11in", "17in"],
};

const DEFAULT_MARGIN = {
  top: "20mm",
  right: "18mm",
  bottom: "20mm",
  left: "18mm",
};

/**
 * Computes the page of a template, including overrides of a request. `bands` are the minimum heights of header and
 * footer.
 * @throws PlatenError `invalid_request` for a custom size without lengths, and when no space is left for the body
 */
export function layOutPaper(
  setup: PageSetup = {},
  options: RenderOptions = {},
  bands: MinHeights = { top: 0, bottom: 0 },
): Paper {
  if (chooseSize(setup, options).includes(undefined))
    throw new PlatenError(
      "invalid_request",
      'The page size "Custom" needs a width and a height, such as "100mm".',
    );
  const paper = measurePaper(setup, options, bands);
  const { heightPx, margin, contentPx, cssSize } = paper;
  if (contentPx <= 0 || heightPx <= margin.top + margin.bottom)
    throw new PlatenError(
      "invalid_request",
      `The margins leave no space for content on a page of ${cssSize.replace(" ", " by ")}. Use smaller margins or a larger page.`,
    );
  return paper;
}

interface MinHeights {
  top: number;
  bottom: number;
}

/** The same for a draft, in which defaults replace invalid lengths and the margins may leave no space. */
export function measurePaper(
  setup: PageSetup,
  options: RenderOptions,
  bands: MinHeights,
): Paper {
  const [wide, high] = chooseSize(setup, options);
  const [usualWide, usualHigh] = SIZES.A4;
  const upright = [
    toPx(wide) === null ? usualWide : wide,
    toPx(high) === null ? usualHigh : high,
  ] as const;
  const landscape = options.landscape ?? setup.landscape ?? false;
  const [width, height] = landscape ? upright.toReversed() : upright;
  const [widthPx, heightPx] = [toPx(width) ?? 0, toPx(height) ?? 0];
  const margin = resolveMargin(setup.margin, options.margin, bands);
  return {
    widthPx,
    heightPx,
    margin,
    firstMargin: margin,
    contentPx: widthPx - margin.left - margin.right,
    cssSize: `${width} ${height}`,
    scale: options.scale ?? 1,
  };
}

/** The heights of a header or footer in CSS px; null where there is none. */
export interface BandHeights {
  first: number | null;
  other: number | null;
}

/** A header is cropped by less than this, which nobody sees, rather than moving the body of a document. */
export const MAX_CROPPED_PX = 0.5;
/** About one line of text. */
export const MIN_BODY_PX = 20;

/**
 * Enlarges the margins that are smaller than their header or footer. Returns null when all of them fit.
 * @throws PlatenError `merge_failed` when no space is left for the body
 */
export function enlargeMargins(
  paper: Paper,
  header: BandHeights,
  footer: BandHeights,
): Paper | null {
  const enlarge = (margin: Sides, page: keyof BandHeights): Sides => ({
    ...margin,
    top: enlargeSide(margin.top, header[page]),
    bottom: enlargeSide(margin.bottom, footer[page]),
  });
  const margin = enlarge(paper.margin, "other");
  const first = enlarge(paper.firstMargin, "first");
  const hasChanged = (["top", "bottom"] as const).some(
    (edge) =>
      margin[edge] !== paper.margin[edge] ||
      first[edge] !== paper.firstMargin[edge],
  );
  if (!hasChanged) return null;
  assertRoom(paper, margin, "a page");
  assertRoom(paper, first, "the first page");
  const isSame = first.top === margin.top && first.bottom === margin.bottom;
  const firstMargin = isSame ? margin : first;
  return { ...paper, margin, firstMargin };
}

function enlargeSide(margin: number, height: number | null): number {
  return height !== null && height > margin + MAX_CROPPED_PX
    ? Math.ceil(height)
    : margin;
}

function assertRoom(paper: Paper, margin: Sides, page: string): void {
  const isHeaderTall = margin.top > paper.margin.top;
  const isFooterTall = margin.bottom > paper.margin.bottom;
  const bodyPx = paper.heightPx - margin.top - margin.bottom;
  if (bodyPx >= MIN_BODY_PX || !(isHeaderTall || isFooterTall)) return;
  const top = isHeaderTall ? "header" : "top margin";
  const bottom = isFooterTall ? "footer" : "bottom margin";
  throw new PlatenError(
    "merge_failed",
    `The ${top} (${formatMm(margin.top)}) and the ${bottom} (${formatMm(margin.bottom)}) leave no space for content on ` +
      `${page} of ${paper.cssSize.replace(" ", " by ")}. ` +
      `Make the ${isHeaderTall ? "header" : "footer"} less tall, or use a larger page.`,
  );
}

function formatMm(lengthPx: number): string {
  return `${Number(((lengthPx * 25.4) / 96).toFixed(1))} mm`;
}

/** Defaults of a watermark with only a text. */
export const DEFAULT_WATERMARK = {
  color: "#334155",
  opacity: 0.12,
  angle: -35,
};

/** The space between the margins of all pages but the first one. */
export function getBodySize({ contentPx, heightPx, margin }: Paper) {
  return {
    widthPx: contentPx,
    heightPx: heightPx - margin.top - margin.bottom,
  };
}

/**
 * The largest font size in CSS px with which a watermark fits between the margins, beyond which it is cut off. Widths are
 * those of bold capitals.
 */
export function fitWatermark(
  words: string,
  angle: number,
  paper: Paper,
): number {
  const { widthPx, heightPx } = getBodySize(paper);
  const turn = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.abs(Math.cos(turn)), Math.abs(Math.sin(turn))];
  const length = 0.78 * Math.max(3, words.length);
  return Math.min(
    160,
    widthPx / (length * cos + sin),
    heightPx / (length * sin + cos),
  );
}

const KNOWN_SIZES = new Map<string, readonly [string, string]>(
  Object.entries(SIZES),
);

/** Width and height in portrait orientation, or as a custom size has them. */
function chooseSize(
  setup: PageSetup,
  options: RenderOptions,
): readonly [string | undefined, string | undefined] {
  const size = options.size ?? customIf(options) ?? setup.size ?? "A4";
  const { width = setup.width, height = setup.height } = options;
  return KNOWN_SIZES.get(size) ?? [width, height];
}

/** A width or height in a request implies a custom size. */
function customIf({ width, height }: RenderOptions): "Custom" | undefined {
  return width === undefined && height === undefined ? undefined : "Custom";
}

function resolveMargin(
  pageMargin: Margin | undefined,
  requestedMargin: Margin | undefined,
  bands: MinHeights,
): Sides {
  const given = { ...sides(pageMargin), ...sides(requestedMargin) };
  const side = (name: keyof Sides) =>
    toPx(given[name]) ?? toPx(DEFAULT_MARGIN[name]) ?? 0;
  return {
    top: Math.max(side("top"), bands.top),
    right: side("right"),
    bottom: Math.max(side("bottom"), bands.bottom),
    left: side("left"),
  };
}

function sides(
  margin: Margin | undefined,
): Partial<Record<keyof Sides, string>> {
  if (typeof margin !== "string")
    return Object.fromEntries(
      Object.entries(margin ?? {}).filter(([, length]) => length !== undefined),
    );
  return { top: margin, right: margin, bottom: margin, left: margin };
}

/** Formats px for a style sheet, rounded to invisible differences. */
export function px(length: number): string {
  return `${Number(length.toFixed(3))}px`;
}
