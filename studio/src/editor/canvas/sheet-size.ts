import type { DesignEmail } from "../../../../core/compiler/views.js";
import { toPx } from "../../../../core/definition/page/layout.js";
import {
  type BandHeights,
  enlargeMargins,
  MAX_CROPPED_PX,
  measurePaper,
  MIN_BODY_PX,
  type Paper,
} from "../../../../core/definition/page/paper.js";
import type {
  Band,
  PageSetup,
} from "../../../../core/plugin-api/definition.js";
import { PlatenError } from "../../../../core/plugin-api/errors.js";

/** The sheet of a document; invalid lengths are ignored. */
export function getPaper(page: PageSetup = {}): Paper {
  const { header, firstHeader, footer, firstFooter } = page;
  return measurePaper(
    page,
    {},
    {
      top: Math.max(getMinHeight(header), getMinHeight(firstHeader)),
      bottom: Math.max(getMinHeight(footer), getMinHeight(firstFooter)),
    },
  );
}

/** The paper with margins as large as its headers and footers; without space for the body, printing fails and it is the same. */
export function fitMargins(
  paper: Paper,
  header: BandHeights,
  footer: BandHeights,
): Paper {
  try {
    return enlargeMargins(paper, header, footer) ?? paper;
  } catch (error) {
    if (error instanceof PlatenError) return paper;
    throw error;
  }
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
  const { heightPx: height, firstMargin: first } = paper;
  const { top, bottom } = paper.margin;
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
  const { heightPx: height, firstMargin: first } = paper;
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

function getSides({ margin, contentPx }: Paper) {
  return { left: margin.left, width: contentPx };
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
  const { heightPx: height, firstMargin: first } = paper;
  const { top, bottom } = paper.margin;
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
