import { INK, MUTED } from "./chart-palette.js";
import { safeColor } from "./safe-color.js";

export const FONT_SIZE = 11; // CSS pixels

/** How large a chart is, in CSS pixels, and the colours of its texts. */
export interface ChartStyle {
  width: number;
  height: number;
  /** Of what names the data. */
  ink: string;
  /** Of axes. */
  muted: string;
}

/** @param textColor of all texts; without it, dark grey for labels and lighter grey for axes. */
export function chartStyle(
  width: number,
  height: number,
  textColor?: string,
): ChartStyle {
  const color = safeColor(textColor);
  return { width, height, ink: color ?? INK, muted: color ?? MUTED };
}

/** A text in a colour; its family is that of the SVG. */
export function textStyle(color: string, fontSize = FONT_SIZE) {
  return { color, fontSize, fontFamily: "inherit" };
}
