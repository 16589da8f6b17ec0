/** What a document wanted and did not get. */
export interface PrintFlaws {
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
 * What is wider than the page between its margins, or than the window of a screenshot. The browser prints such a
 * document smaller, down to two thirds, and cuts off what is too wide even so; of a screenshot, and of text that runs
 * from right to left, it cuts off all that is too wide.
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
