import type { Deadline, ImageType } from "../plugin-api/index.js";

/** The html is complete (with a doctype) and contains every image and font as a data URL. */
export interface PdfJob extends PdfStructure {
  html: string;
  /** Page-sized strips, one page for each page of the body, printed second and laid over it. */
  overlay?: PrintOverlay;
  /** If given, margins that are too small for their header or footer are enlarged before the print. */
  headers?: RunningHeaders;
  /** Used when the html has no `<title>` of its own. */
  title?: string;
  /** Used when `<html>` has no `lang` of its own. */
  language?: string;
  /** The page of its `@page` rules; if given, content that is wider than the page is reported. */
  page?: PageBox;
  /** Whose document it is: with isolation by organization, documents of two owners never share a page. */
  owner?: string | undefined;
  deadline: Deadline;
}

type PrintOverlay = (pages: number) => string;

/** The headers and footers of a document, which are printed into its margins. */
export interface RunningHeaders {
  /** Hidden markup for the end of the body: headers and footers that are no elements of the document yet. */
  html(): string;
  widthPx: number;
  /**
   * The document with margins that are large enough; null when they are already.
   * @param heights in CSS px, of each `header` or `footer` element of the class `band`, in document order
   */
  fit(heights: readonly number[]): Promise<FittedDocument | null>;
}

export interface FittedDocument {
  html: string;
  page: PageBox;
  overlay?: PrintOverlay;
}

export interface PdfStructure {
  /** Accessible PDF: a structure tree, at about a third more time and twice the size. */
  tagged?: boolean;
  /** Bookmarks, one for each heading; Chromium makes them from the structure tree, so the PDF is tagged too. */
  outline?: boolean;
}

/** A page and its margins, in CSS px. */
export interface PageBox {
  widthPx: number;
  heightPx: number;
  margin: Margins;
  /** The margins of the first page, if they differ. */
  firstMargin?: Margins;
}

interface Margins {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

export interface PrintPhases {
  queueMs: number;
  printMs: number;
  overlayMs?: number;
}

export interface PrintedPdf extends PrintFlaws {
  bytes: Buffer;
  pages: number;
  phases: PrintPhases;
}

/** Pages of a printed PDF to be drawn as images. */
export interface ImagesJob {
  pdf: Buffer;
  type: ImageType;
  /** 1-based: `1`, `all`, `1-3,5`. */
  pages: string;
  /** Whether they are stacked into one image. */
  isSingle?: boolean;
  /** Image pixels for each CSS pixel (1/96 inch), default 2. */
  scale?: number | undefined;
  /** 1 to 100, for jpg only, default 85. */
  quality?: number | undefined;
  /** As for a PDF. */
  owner?: string | undefined;
  deadline: Deadline;
}

/** For one image of several pages, `page` is the first. */
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
  /** Whether it is shown to a reader who prefers dark colors. */
  isDark?: boolean | undefined;
  scale?: number | undefined;
  quality?: number | undefined;
  /** As for a PDF. */
  owner?: string;
  deadline: Deadline;
}

export interface Screenshot extends Omit<PageImage, "page">, PrintFlaws {}

/** Characters and elements that could not be printed as intended. */
export interface PrintFlaws {
  /** The most frequent first, at most 1,000. */
  missingGlyphs: MissingGlyph[];
  /** At most 10. Headers and footers are not checked. */
  overflow: Overflow[];
}

/** A character that no font has; it is printed as an empty box. */
export interface MissingGlyph {
  character: string;
  /** As in `U+1F9FF`. */
  codePoint: string;
  /** How often it is in the document; in headers and footers, once. */
  count: number;
}

/**
 * An element that is wider than the page's content area, or than the window of a screenshot. The browser shrinks such a
 * document to no less than two thirds, and cuts off what is still too wide; in screenshots and right-to-left documents
 * it cuts off everything that is too wide. Or an image or code that is taller than the page, and cut across pages.
 */
export interface Overflow {
  /** Name of the html element; `body` when the element was not identified. */
  element: string;
  /** Its first words. */
  text: string;
  /** How far it reaches from the margin where lines begin, and how far it may, in CSS px. */
  widthPx: number;
  roomPx: number;
  /** Of what is too tall: its height, and that of the page between its margins, in CSS px. */
  heightPx?: number;
  roomHeightPx?: number;
}
