import { distance } from "fastest-levenshtein";

/** Nobody meant a known word by one as long as this. */
const LONGEST = 64;

/** The known word that was most likely meant; null when none is near. */
function nearest(word: string, known: Iterable<string>): string | null {
  let best: string | null = null;
  let least = Math.max(2, Math.floor(word.length / 3)) + 1;
  if (word.length > LONGEST) return null;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= least) continue;
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
