import { distance } from "fastest-levenshtein";

/** The known word that was most likely meant; null when none is near. */
function nearest(word: string, known: Iterable<string>): string | null {
  let best: string | null = null;
  let least = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const steps = distance(word.toLowerCase(), candidate.toLowerCase());
    if (steps < least) [best, least] = [candidate, steps];
  }
  return best;
}

/** A hint for a problem, empty when no known word is near. */
export function didYouMean(
  word: string,
  known: Iterable<string>,
): { hint?: string } {
  const meant = nearest(word, known);
  return meant === null ? {} : { hint: `Did you mean ${meant}?` };
}
