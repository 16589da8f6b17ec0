import { PlatenError } from "../../plugin-api/index.js";

const PART = /^(\d{1,6})(?:-(\d{1,6}))?$/;

/**
 * The pages that a choice such as `1`, `all` or `1-3,5` names, in its order, each once.
 * @throws PlatenError `invalid_request` when it is not of that form, or names pages beyond `count`.
 */
export function choosePages(choice: string, count: number): number[] {
  if (choice.trim() === "all") return range(1, count);
  const pages = new Set<number>();
  for (const part of choice.split(","))
    for (const page of partPages(part.trim(), choice, count)) pages.add(page);
  return [...pages];
}

function partPages(part: string, choice: string, count: number): number[] {
  const [, first, last = first] = part.match(PART) ?? [];
  const [from, to] = [Number(first), Number(last)];
  if (!(from >= 1 && to >= from))
    throw new PlatenError(
      "invalid_request",
      `pages is "${choice}", but has the form "1", "all" or "1-3,5", counted from 1.`,
    );
  if (to > count)
    throw new PlatenError(
      "invalid_request",
      `pages is "${choice}", but the document has ${count} ${count === 1 ? "page" : "pages"}.`,
    );
  return range(from, to);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
