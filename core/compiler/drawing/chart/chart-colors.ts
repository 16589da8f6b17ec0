/**
 * Colors for series without one. Neighbors differ in lightness as well as in hue (L* 28, 67, 54, 81, 37, 79, 45, 66),
 * so that they stay apart in a gray print and for color-blind readers.
 */
const PALETTE = [
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
export const RULE = "rgba(110,122,140,.2)";
export const BASELINE = "rgba(80,92,110,.6)";

/** The palette's color for the `index`th series. */
export function paletteColor(index: number): string {
  return PALETTE[index % PALETTE.length] ?? PALETTE[0];
}

/**
 * The look of the `index`th of `count` slices: tints of `color`, or the palette, which repeats after eight, lighter each
 * time.
 */
export function sliceColor(index: number, count: number, color?: string) {
  const opacity =
    color === undefined
      ? 0.6 ** Math.floor(index / PALETTE.length)
      : 1 - (0.75 * index) / Math.max(1, count - 1);
  return {
    fill: color ?? paletteColor(index),
    opacity: opacity < 1 ? opacity : undefined,
  };
}

const color =
  /^(?:#[0-9a-f]{3,8}|[a-z]{3,20}|(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\([\d\s.,%/+a-z-]{1,60}\))$/i;

/** The color itself; undefined for a text that is not one, which could add to the markup or load something. */
export function safeColor(value: string | undefined): string | undefined {
  return value !== undefined && color.test(value) ? value : undefined;
}
