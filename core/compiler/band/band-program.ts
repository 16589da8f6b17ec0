import type { Render } from "../compile/compile-source.js";
import type { SpotText } from "./compile-spot.js";
import type { NumberSpot } from "./locate-numbers.js";

/** A header or footer, compiled. */
export interface BandProgram {
  /** Its markup, with marks where page numbers stand. */
  live: Render;
  /** The same with blanks for the texts that show numbers, percent-encoded for an image. */
  art: Render;
  /** Those texts, to be printed over the art; null when their places are not known. */
  spots: readonly CompiledSpot[] | null;
  weight: number;
}

export interface CompiledSpot extends NumberSpot {
  /** The text for one record, with marks for the numbers. */
  text: SpotText;
}
