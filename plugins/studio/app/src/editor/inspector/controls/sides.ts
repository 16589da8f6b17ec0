/** Of a box, as CSS goes round it. */
export const SIDES = ["top", "right", "bottom", "left"] as const;
export type Side = (typeof SIDES)[number];
export type Sides = Partial<Record<Side, string | undefined>>;
