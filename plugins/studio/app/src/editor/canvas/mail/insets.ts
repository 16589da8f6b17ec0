import type { Component } from "../../../../../../../core/plugin-api/definition.js";
import type { DesignDefaults } from "../../../../../../../core/plugin-api/design-defaults.js";
import type { Declarations } from "../look.js";
import { toPx } from "../to-px.js";

/** The room around content that names none, in a row of one column. */
export function usualInset({ email }: DesignDefaults): string {
  const { sides, bottom } = email.inset;
  return `0 ${sides}px ${bottom}px`;
}

/** The room around the content of each column of a row, as in the email. */
export function insetsOf(
  row: Extract<Component, { type: "section" | "columns" }>,
  style: Declarations,
  { email, columnGap }: DesignDefaults,
): string[] {
  const { sides, bottom } = email.inset;
  const [edge, below] = hasPadding(style) ? [0, 0] : [sides, bottom];
  const gapOf = (gap: string | undefined) =>
    Math.round(toPx(gap) ?? toPx(columnGap) ?? 0);
  const between = row.type === "columns" ? gapOf(row.gap) / 2 : edge;
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
