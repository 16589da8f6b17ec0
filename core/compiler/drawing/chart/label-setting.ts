import { FONT_SIZE } from "./chart-style.js";
import { fitText, textWidth, widestText } from "../text-width.js";
import { wrapText } from "../draw-placeholder.js";

/** How the names below an axis are set, so that neighbours do not touch. */
export interface LabelSetting {
  texts: readonly string[];
  fontSize: number;
  /** Degrees. */
  rotate: number;
  /** False when only as many are shown as there is room for. */
  all: boolean;
  /** Pixels that the first name needs at the left of its place. */
  overhang: number;
}

const SIZES = [FONT_SIZE, 10, 9] as const;
const AIR = 3; // pixels between neighbours
const MOST_LINES = 3;
const TURN = 40; // degrees
const LONGEST_TURNED = 96; // pixels
const LEAST_TURNED_SLOT = 12;

/** All names upright in `slot` pixels each, on one line, at need a little smaller, or on up to three; else null. */
export function uprightLabels(
  labels: readonly string[],
  slot: number,
): LabelSetting | null {
  const width = slot - AIR;
  const upright = { rotate: 0, all: true, overhang: 0 };
  for (const fontSize of SIZES)
    if (widestText(labels, fontSize) <= width)
      return { ...upright, texts: labels, fontSize };
  for (const fontSize of SIZES) {
    const wrapped = labels.map((label) =>
      wrapText(label, fontSize, width, Infinity),
    );
    if (wrapped.every((lines) => isNarrow(lines, fontSize, width)))
      return {
        ...upright,
        texts: wrapped.map((lines) => lines.join("\n")),
        fontSize,
      };
  }
  return null;
}

/** All names turned and shortened; null where even turned lines would touch. */
export function turnedLabels(
  labels: readonly string[],
  slot: number,
): LabelSetting | null {
  if (slot < LEAST_TURNED_SLOT) return null;
  const fontSize = FONT_SIZE - 1;
  const texts = labels.map((label) => fitText(label, fontSize, LONGEST_TURNED));
  const reach =
    textWidth(texts[0] ?? "", fontSize) * Math.cos((TURN * Math.PI) / 180);
  const overhang = Math.max(0, reach - slot / 2);
  return { texts, fontSize, rotate: TURN, all: true, overhang };
}

/** Some of the names, as many as fit on one line. */
export function someLabels(labels: readonly string[]): LabelSetting {
  return {
    texts: labels,
    fontSize: FONT_SIZE,
    rotate: 0,
    all: false,
    overhang: 0,
  };
}

function isNarrow(lines: readonly string[], fontSize: number, width: number) {
  return lines.length <= MOST_LINES && widestText(lines, fontSize) <= width;
}
