import type { Component } from "../../../../../../../core/contract/definition.js";
import type { Declarations } from "../look.js";
import { toPx } from "../to-px.js";

/** The room around content that names none, in a row of one column. */
export const inset = "0 24px 12px";
const sides = 24;
const bottom = 12;
const defaultGap = 24;

/** The room around the content of each column of a row, as in the email. */
export function insetsOf(
  row: Extract<Component, { type: "section" | "columns" }>,
  style: Declarations,
): string[] {
  const isPadded = hasPadding(style);
  const [edge, below] = isPadded ? [0, 0] : [sides, bottom];
  const between =
    row.type === "columns" ? Math.round(toPx(row.gap) ?? defaultGap) / 2 : edge;
  const last = row.components.length - 1;
  return row.components.map((_column, index) => {
    const left = index === 0 ? edge : between;
    const right = index === last ? edge : between;
    return `0 ${right}px ${below}px ${left}px`;
  });
}

export function hasPadding(style: Declarations): boolean {
  return Object.keys(style).some((property) => property.startsWith("padding"));
}

/** What each column takes of its row, in percent: those without a width share what the others leave. */
export function sharesOf(
  columns: readonly Component[],
  width: number,
): number[] {
  const given = columns.map((column) =>
    column.type === "column" ? shareOf(column.width, width) : null,
  );
  const taken = given.reduce<number>((sum, share) => sum + (share ?? 0), 0);
  const open = given.filter((share) => share === null).length;
  return given.map((share) => share ?? (100 - taken) / Math.max(1, open));
}

function shareOf(width: string | undefined, of: number): number | null {
  const percent = /^([\d.]+)%$/.exec(width ?? "")?.[1];
  if (percent !== undefined) return Number(percent);
  const px = toPx(width);
  return px === null ? null : (px / of) * 100;
}
