import type {
  EditorDesign,
  DesignEmail,
} from "../../../../core/compiler/views.js";
import { toPx } from "../../../../core/definition/page/layout.js";
import type {
  Band,
  PageSetup,
} from "../../../../core/plugin-api/definition.js";

/** The size of a sheet and its margins, in CSS px. */
export interface Paper {
  width: number;
  height: number;
  top: number;
  right: number;
  bottom: number;
  left: number;
  /** The margins of the first page. */
  first: { top: number; bottom: number };
}

const a4 = [210, 297] as const;
const pxPerMm = 96 / 25.4;

/** The sheet of a document; invalid lengths are ignored. */
export function getPaper(
  page: PageSetup = {},
  { paper: sizes, defaults }: Pick<EditorDesign, "paper" | "defaults">,
): Paper {
  const [width, height] = getPaperSize(page, sizes);
  const { margin } = page;
  const given =
    typeof margin === "string"
      ? { top: margin, right: margin, bottom: margin, left: margin }
      : margin;
  const side = (name: keyof typeof defaults.pageMargin) =>
    toPx(given?.[name]) ?? toPx(defaults.pageMargin[name]) ?? 0;
  const top = Math.max(
    side("top"),
    getMinHeight(page.header),
    getMinHeight(page.firstHeader),
  );
  const bottom = Math.max(
    side("bottom"),
    getMinHeight(page.footer),
    getMinHeight(page.firstFooter),
  );
  return {
    width: page.landscape ? height : width,
    height: page.landscape ? width : height,
    top,
    right: side("right"),
    bottom,
    left: side("left"),
    first: { top, bottom },
  };
}

/** The heights of a page's header and footer, in CSS px. */
export interface BandHeights {
  header: number;
  footer: number;
}

/** Less than this is invisible. */
const MAX_CROPPED_PX = 0.5;
/** About one line of text. With less space for the body, printing fails. */
const MIN_BODY_PX = 20;

/** Enlarges the margins that are smaller than their header or footer, as printing does. */
export function enlargeMargins(
  paper: Paper,
  first: BandHeights,
  other: BandHeights,
): Paper {
  const margins = (
    { top, bottom }: { top: number; bottom: number },
    { header, footer }: BandHeights,
  ) => {
    const all = {
      top: enlarge(top, header),
      bottom: enlarge(bottom, footer),
    };
    const hasSpace = paper.height - all.top - all.bottom >= MIN_BODY_PX;
    return hasSpace ? all : { top, bottom };
  };
  return {
    ...paper,
    ...margins(paper, other),
    first: margins(paper.first, first),
  };
}

function enlarge(margin: number, height: number): number {
  return height > margin + MAX_CROPPED_PX ? Math.ceil(height) : margin;
}

/** Space between pages, in CSS px. */
const PAGE_GAP = 28;

/** Where pages lie, in CSS px from the corner of the first one. */
export interface PageLayout {
  flow: {
    left: number;
    top: number;
    width: number;
    /** Of a column, which is the body of a page. */
    height: number;
    /** Between a column and the next one. */
    gap: number;
    /** Above the content in the first column, which a first page of another height needs; may be negative. */
    start: number;
  };
  /** The top of the paper with this index. */
  top: (index: number) => number;
  /** The height of the paper with this index. */
  height: (index: number) => number;
}

/**
 * Lays out pages below each other. A browser breaks the body into columns, which are as high as the body of a page. All
 * columns have the same height, so a first page with other margins is moved, and its content begins lower or higher in
 * its column.
 */
export function layOutPages(paper: Paper): PageLayout {
  const { height, top, bottom, first } = paper;
  const body = height - top - bottom;
  const start = body - (height - first.top - first.bottom);
  const gap = PAGE_GAP + Math.max(0, first.bottom - bottom);
  // The top of the first column; that of other pages is `top` below the corner of its page.
  const flowTop = first.top - start;
  return {
    flow: {
      ...getSides(paper),
      top: flowTop,
      height: body,
      gap: height + gap - body,
      start,
    },
    top: (index) => (index === 0 ? 0 : flowTop - top + index * (height + gap)),
    height: () => height,
  };
}

/** Lays out one paper for the whole body, and below it the one that shows the header and footer of other pages. */
export function layOutOneSheet(
  paper: Paper,
  contentHeight: number,
): PageLayout {
  const { height, first } = paper;
  const tall = Math.max(height, first.top + contentHeight + first.bottom);
  return {
    flow: {
      ...getSides(paper),
      top: first.top,
      height: contentHeight,
      gap: 0,
      start: 0,
    },
    top: (index) => (index === 0 ? 0 : tall + PAGE_GAP),
    height: (index) => (index === 0 ? tall : height),
  };
}

function getSides({ width, left, right }: Paper) {
  return { left, width: width - left - right };
}

/**
 * About where pages end, in CSS px from the top of the body.
 * @param breaks the positions of the page breaks, in order
 */
export function getPageEnds(
  paper: Paper,
  contentHeight: number,
  breaks: readonly number[],
): number[] {
  const { height, top, bottom, first } = paper;
  const ends: number[] = [];
  let start = 0;
  let body = height - first.top - first.bottom;
  for (const stop of [...breaks, contentHeight]) {
    // With headers that fill the page, printing fails and there are no pages.
    while (body >= MIN_BODY_PX && stop - start > body + MAX_CROPPED_PX) {
      start += body;
      ends.push(start);
      body = height - top - bottom;
    }
    start = stop;
    ends.push(start);
    body = height - top - bottom;
  }
  return ends.slice(0, -1);
}

function getPaperSize(
  { size = "A4", width, height }: PageSetup,
  sizes: EditorDesign["paper"],
): readonly [number, number] {
  const [wide, high] = sizes[size] ?? a4;
  const upright = [wide * pxPerMm, high * pxPerMm] as const;
  if (size !== "Custom") return upright;
  return [toPx(width) ?? upright[0], toPx(height) ?? upright[1]];
}

function getMinHeight(band: Band | undefined): number {
  if (band === undefined || Array.isArray(band)) return 0;
  return toPx(band.height) ?? 0;
}

export const PHONE_WIDTH = 375;

/** The width of an email with its background, in CSS px. */
export function getEmailWidth(
  width: number | undefined,
  isPhone: boolean,
  usual: DesignEmail,
): number {
  return isPhone ? PHONE_WIDTH : (width ?? usual.width) + 2 * usual.ground;
}
