import type { ChipFilter, ChipValue } from "./chip-value.js";

// Filters of a chip by what they are for; those that are not known here stay where they are.

export type FilterGroup =
  "format" | "letters" | "length" | "fallback" | "markup";

const GROUPS: Readonly<Record<FilterGroup, readonly string[]>> = {
  format: ["number", "currency", "percent", "date", "words", "ordinal"],
  letters: ["upper", "lower", "title"],
  length: ["truncate"],
  markup: ["markdown", "nl2br"],
  fallback: ["default"],
};

export function filterOf(
  { filters }: ChipValue,
  group: FilterGroup,
): ChipFilter | null {
  return filters.find(({ name }) => GROUPS[group].includes(name)) ?? null;
}

/** The value with another filter of a group, or none. A new one stands before the fallback, which comes last. */
export function withFilter(
  value: ChipValue,
  group: FilterGroup,
  filter: ChipFilter | null,
): ChipValue {
  const { filters } = value;
  const at = filters.findIndex(({ name }) => GROUPS[group].includes(name));
  const fallback = filters.findIndex(({ name }) => name === "default");
  const isFront = group !== "fallback" && fallback >= 0;
  const place = at >= 0 ? at : isFront ? fallback : filters.length;
  const next = filters.toSpliced(
    place,
    at >= 0 ? 1 : 0,
    ...(filter ? [filter] : []),
  );
  return { ...value, filters: next };
}

/** The first text argument of a filter; empty where there is none. */
export function argumentOf(filter: ChipFilter | null): string {
  const [first] = filter?.args ?? [];
  return first === undefined ? "" : String(first);
}
