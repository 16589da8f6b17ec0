import type { Deadline, ImageType } from "../contract/index.js";

/** One document to print. The html is complete (a doctype first) and brings every image and font as a data URL. */
export interface PdfJob {
  html: string;
  /** Page-sized strips, one page for each page of the body, printed second and laid over it. */
  overlay?: (pages: number) => string;
  /** Used when the html has no `<title>` of its own. */
  title?: string;
  /** Used when `<html>` has no `lang` of its own. */
  language?: string;
  /** Accessible PDF: a structure tree, at about a third more time and twice the size. */
  tagged?: boolean;
  /** The page that its `@page` rule asks for: with it, what is wider than the page has room for is found. */
  page?: PageBox;
  deadline: Deadline;
}

/** A page and its margins, in CSS px. */
export interface PageBox {
  widthPx: number;
  heightPx: number;
  margin: { top: number; right: number; bottom: number; left: number };
}

export interface PrintPhases {
  queueMs: number;
  printMs: number;
  overlayMs?: number;
}

export interface PrintedPdf {
  bytes: Buffer;
  pages: number;
  phases: PrintPhases;
  /** The most frequent first, at most 20. */
  missingGlyphs: MissingGlyph[];
  /** At most 10. Headers and footers are not looked at. */
  overflow: Overflow[];
}

/** A character that no font has: an empty box stands in its place. */
export interface MissingGlyph {
  character: string;
  /** As in `U+1F9FF`. */
  codePoint: string;
  /** How often it is in the document; in headers and footers, once. */
  count: number;
}

/**
 * What is wider than the page between its margins. The browser prints such a document smaller, down to two thirds,
 * and cuts off what is too wide even so; of text that runs from right to left it cuts off all that is too wide.
 */
export interface Overflow {
  /** Name of the html element; `body` when it is not known which. */
  element: string;
  /** Its first words. */
  text: string;
  /** How far it reaches from the margin where lines begin, and how far it may, in CSS px. */
  widthPx: number;
  roomPx: number;
}

/** Pages of a printed PDF, drawn as pictures. */
export interface ImagesJob {
  pdf: Buffer;
  type: ImageType;
  /** 1-based: `1`, `all`, `1-3,5`. */
  pages: string;
  /** Picture pixels for each CSS pixel (1/96 inch), default 2. */
  scale?: number;
  /** 1 to 100, for jpg only, default 85. */
  quality?: number;
  deadline: Deadline;
}

export interface PageImage {
  page: number;
  widthPx: number;
  heightPx: number;
  bytes: Buffer;
}

/** A whole document that is not cut into pages, such as an email. */
export interface ScreenshotJob {
  html: string;
  /** Width of the window in CSS pixels. */
  widthPx: number;
  type: ImageType;
  scale?: number;
  quality?: number;
  deadline: Deadline;
}

export type Screenshot = Omit<PageImage, "page">;
