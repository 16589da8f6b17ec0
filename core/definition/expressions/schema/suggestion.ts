import { nearestWord } from "../../../plugin-api/index.js";

/** A hint for a problem, empty when no known word is near. */
export function didYouMean(
  word: string,
  known: Iterable<string>,
): { hint?: string } {
  const meant = nearestWord(word, known);
  return meant === undefined ? {} : { hint: `Did you mean ${meant}?` };
}
