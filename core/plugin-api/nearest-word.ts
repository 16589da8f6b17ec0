import { distance } from "fastest-levenshtein";

/** Nobody meant a known word by one as long as this. */
const longest = 64;

/**
 * The known word that was most likely meant, whatever its case; undefined when none is near. Near is what differs in at
 * most two of five letters; two neighbours that changed places, the commonest slip, count as one.
 */
export function nearestWord(
  word: string,
  known: Iterable<string>,
): string | undefined {
  if (word.length > longest) return undefined;
  let best: string | undefined;
  let least = Infinity;
  for (const candidate of known) {
    const longer = Math.max(word.length, candidate.length);
    const most = Math.max(1, Math.floor(longer * 0.4));
    if (Math.abs(candidate.length - word.length) > most) continue;
    const steps = stepsTo(word.toLowerCase(), candidate.toLowerCase());
    if (steps <= most && steps < least) [best, least] = [candidate, steps];
  }
  return best;
}

function stepsTo(word: string, other: string): number {
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
