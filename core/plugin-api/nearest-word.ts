import { distance } from "fastest-levenshtein";

/** Longer words are not misspellings of a known word. */
const maxLength = 64;

/**
 * Finds the known word that was most likely meant, ignoring case; undefined when none is similar. Similar words differ in
 * at most two of five letters; two swapped neighbors, the most common typo, count as one.
 */
export function findNearestWord(
  word: string,
  known: Iterable<string>,
): string | undefined {
  if (word.length > maxLength) return undefined;
  let best: string | undefined;
  let minDistance = Infinity;
  for (const candidate of known) {
    const longer = Math.max(word.length, candidate.length);
    const maxDistance = Math.max(1, Math.floor(longer * 0.4));
    if (Math.abs(candidate.length - word.length) > maxDistance) continue;
    const steps = countEdits(word.toLowerCase(), candidate.toLowerCase());
    if (steps <= maxDistance && steps < minDistance)
      [best, minDistance] = [candidate, steps];
  }
  return best;
}

function countEdits(word: string, other: string): number {
  return areSwapped(word, other) ? 1 : distance(word, other);
}

function areSwapped(word: string, other: string): boolean {
  if (word.length !== other.length) return false;
  let at = 0;
  while (at < word.length && word[at] === other[at]) at += 1;
  const swapped =
    word.slice(0, at) +
    word.slice(at + 1, at + 2) +
    word.slice(at, at + 1) +
    word.slice(at + 2);
  return at < word.length && swapped === other;
}
