import type { NumberSpot } from "./locate-numbers.js";

/** A header or footer for one record. */
export interface DrawnBand {
  /** Its markup, with marks where page numbers stand. */
  html: string;
  /** The same with blanks in place of the texts that show numbers. */
  art: string;
  /** Those texts, to be printed over the art; null when their places are not known. */
  spots: (NumberSpot & { text: string })[] | null;
}
