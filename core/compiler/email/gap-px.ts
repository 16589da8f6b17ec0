import { DEFAULT_GAP } from "../layout/column-gap.js";
import { toPx } from "../../definition/page/lengths.js";

/** The room between two columns of a row `width` px wide, in whole px: mail programs know nothing else. */
export function gapPx(gap: string = DEFAULT_GAP, width: number): number {
  const percent = /^([\d.]+)%$/.exec(gap)?.[1];
  const px =
    percent === undefined ? toPx(gap) : (width * Number(percent)) / 100;
  return Math.round(px ?? DEFAULT_PX);
}

const DEFAULT_PX = 24;
