import { distance } from "fastest-levenshtein";

// Suggestions for misspelled names. Within `limitSuggestions` there is an end to comparing.

/** Longer words are not misspellings of a known word. */
const MAX_LENGTH = 64;

/** How many names may still be compared; without a limit, any number. */
let comparisonsLeft = Infinity;

/** Takes about 50 ms. After some hundred suggestions, nobody reads the next ones. */
const MAX_COMPARISONS = 100_000;

/** Runs a check that may suggest names for any number of words: after the first hundreds, nothing is suggested. */
export function limitSuggestions<T>(check: () => T): T {
  const before = comparisonsLeft;
  comparisonsLeft = Math.min(before, MAX_COMPARISONS);
  try {
    return check();
  } finally {
    comparisonsLeft = before;
  }
}

/** Whether a word may be compared with so many names. */
function mayCompare(names: number): boolean {
  if (comparisonsLeft < names) return false;
  comparisonsLeft -= names;
  return true;
}

/**
 * Finds the known word that was most likely meant, ignoring case; undefined when none is similar. Similar words differ in
 * at most two of five letters; two swapped neighbors, the most common typo, count as one.
 */
export function findNearestWord(
  word: string,
  knownWords: Iterable<string>,
): string | undefined {
  const names = [...knownWords];
  if (word.length > MAX_LENGTH || !mayCompare(names.length)) return undefined;
  let best: string | undefined;
  let minDistance = Infinity;
  for (const candidate of names) {
    const steps = countSimilarEdits(word, candidate);
    if (steps < minDistance) [best, minDistance] = [candidate, steps];
  }
  return best;
}

/**
 * Suggests at most three known words, the nearest first: `Did you mean …?` when they are similar, else those with the
 * most in common. Empty when there is no known word.
 * @param quote how a name is written in the text
 */
export function suggestNames(
  word: string,
  knownWords: Iterable<string>,
  quote: (name: string) => string = (name) => `"${name}"`,
): string {
  const names = [...knownWords];
  if (!mayCompare(names.length)) return "";
  const similar = rank(names, (name) => countSimilarEdits(word, name));
  const [nearest = Infinity] = similar.map(([, steps]) => steps);
  const meant = similar.filter(
    ([, steps]) => steps <= Math.max(1, nearest + 1),
  );
  if (nearest <= 1) meant.length = 1;
  if (meant.length > 0) return `Did you mean ${anyOf(meant, quote)}?`;
  if (!mayCompare(names.length * DIFFERENCE_COST)) return "";
  const nearer = rank(names, (name) => countDifference(word, name));
  if (nearer.length === 0) return "";
  return nearer.length === 1
    ? `The only name is ${anyOf(nearer, quote)}.`
    : `The nearest names are ${anyOf(nearer, quote, "and")}.`;
}

type Ranked = [name: string, difference: number];

/** The three names with the smallest finite difference. */
function rank(
  names: readonly string[],
  measure: (name: string) => number,
): Ranked[] {
  return names
    .map((name): Ranked => [name, measure(name)])
    .filter(([, difference]) => Number.isFinite(difference))
    .toSorted(([, a], [, b]) => a - b)
    .slice(0, 3);
}

function anyOf(
  ranked: readonly Ranked[],
  quote: (name: string) => string,
  conjunction = "or",
): string {
  const names = ranked.map(([name]) => quote(name));
  const last = names.pop() ?? "";
  return names.length === 0
    ? last
    : `${names.join(", ")} ${conjunction} ${last}`;
}

/** Infinity for words that are not similar. */
function countSimilarEdits(word: string, candidate: string): number {
  if (word.length > MAX_LENGTH) return Infinity;
  const longer = Math.max(word.length, candidate.length);
  const maxDistance = Math.max(1, Math.floor(longer * 0.4));
  if (Math.abs(candidate.length - word.length) > maxDistance) return Infinity;
  const steps = countEdits(word.toLowerCase(), candidate.toLowerCase());
  return steps <= maxDistance ? steps : Infinity;
}

/** `countDifference` takes about as long as so many comparisons. */
const DIFFERENCE_COST = 10;

/** Parts that two names share, as in `background-image` and `background`, weigh more than equal letters. */
function countDifference(word: string, candidate: string): number {
  const start = candidate.slice(0, MAX_LENGTH);
  const parts = splitName(word.slice(0, MAX_LENGTH));
  const shared = splitName(start).filter((part) =>
    parts.some((other) => countSimilarEdits(part, other) <= 1),
  );
  return (
    countEdits(word.slice(0, MAX_LENGTH).toLowerCase(), start) -
    8 * shared.length
  );
}

function splitName(name: string): string[] {
  return name
    .replaceAll(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part.length > 1);
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
