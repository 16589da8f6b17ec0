import { px } from "./lengths.js";
import type { Paper } from "./paper.js";

export function pageRule({ cssSize, margin }: Paper): string {
  const sides = [margin.top, margin.right, margin.bottom, margin.left];
  return `@page{size:${cssSize};margin:${sides.map(px).join(" ")}}`;
}
