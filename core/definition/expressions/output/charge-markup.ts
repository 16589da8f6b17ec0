import type { MergeContext } from "../types.js";

const CHARACTERS_PER_ITERATION = 32;

/** Markup on its way to be made harmless, which takes far longer than copying a text, and so counts as more iterations. */
export function chargeMarkup(source: string, context: MergeContext): string {
  context.spend(Math.floor(source.length / CHARACTERS_PER_ITERATION));
  return source;
}
