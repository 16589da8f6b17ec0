/** The room between two columns when a definition names none. */
export const DEFAULT_GAP = "24px";

/** A gap as `calc()` can use it, which takes no length without a unit. */
export function cssGap(gap: string | undefined): string {
  return gap === "0" ? "0px" : (gap ?? DEFAULT_GAP);
}
