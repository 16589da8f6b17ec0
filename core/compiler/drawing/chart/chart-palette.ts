/**
 * Colours for series without one. Neighbours differ in lightness as well as in hue (L* 28, 67, 54, 81, 37, 79, 45, 66),
 * so that they stay apart in a grey print and for colour-blind readers.
 */
export const PALETTE = [
  "#17446f",
  "#e58f2f",
  "#3c8d86",
  "#a9cfe8",
  "#8a3a62",
  "#d9c27a",
  "#5f6b7a",
  "#7fae5b",
] as const;

export const INK = "#344054";
export const MUTED = "#5b6575";
/** Translucent, for white and for dark grounds. */
export const RULE = "rgba(110,122,140,.24)";
export const BASELINE = "rgba(80,92,110,.7)";

/** The colour of the `index`th series or slice. */
export function paletteColor(index: number): string {
  return PALETTE[index % PALETTE.length] ?? PALETTE[0];
}

/** How opaque the `index`th slice is in the palette: it begins again at every ninth, lighter. */
export function paletteOpacity(index: number): number {
  return 0.6 ** Math.floor(index / PALETTE.length);
}

/** How opaque the `index`th of `count` slices of one colour is: evenly from 1 down to 0.25. */
export function tintOpacity(index: number, count: number): number {
  return count < 2 ? 1 : 1 - (0.75 * index) / (count - 1);
}
