import { distance } from "fastest-levenshtein";

// Suggestions for misspelled names. Their cost does not grow with the number of names: of many, only those that share
// the most pairs of letters are compared, and within `limitSuggestions` there is an end to comparing.

/** Longer words are not misspellings of a known word. */
const MAX_LENGTH = 64;

/** Up to this many names are all compared. */
const MAX_SCANNED = 256;

/** Of more, this many that share the most pairs of letters with the word. */
const MAX_CANDIDATES = 64;

/** Occurrences of pairs that one search looks at, the rarest pairs first. */
const MAX_OCCURRENCES = 20_000;

/** The number of values that the hash of a pair can have. */
const BUCKETS = 1 << 12;

/** Of names with equally many pairs, the nearest in length come first; all beyond this are alike. */
const DIFFERENCES = 16;

/** Known names, in order and each once, prepared for many searches. */
export class NameIndex {
  readonly names: readonly string[];
  readonly #known: ReadonlySet<string>;
  #pairs: PairIndex | undefined;

  constructor(names: Iterable<string>) {
    this.#known = new Set(names);
    this.names = [...this.#known];
  }

  has(name: string): boolean {
    return this.#known.has(name);
  }

  /** The names that may be similar to a word, in order; none after the limit of `limitSuggestions`. */
  findCandidates(word: string): readonly string[] {
    const { names } = this;
    if (names.length <= MAX_SCANNED)
      return mayCompare(names.length) ? names : [];
    if (!mayCompare(MAX_CANDIDATES)) return [];
    this.#pairs ??= new PairIndex(names);
    return this.#pairs.find(word).map((at) => names[at] ?? "");
  }
}

/** For each pair of letters, the names that contain it. */
class PairIndex {
  /** For each pair, one more than its last occurrence; 0 without any. */
  readonly #last = new Int32Array(BUCKETS);
  readonly #counts = new Int32Array(BUCKETS);
  /** For each occurrence, the name that contains it, and one more than the occurrence before of the same pair. */
  readonly #nameAt: Int32Array;
  readonly #before: Int32Array;
  readonly #scores: Uint8Array;
  readonly #lengths: Uint32Array;

  constructor(names: readonly string[]) {
    const pairs = names.map(listPairs);
    const occurrences = pairs.reduce((sum, { length }) => sum + length, 0);
    this.#nameAt = new Int32Array(occurrences);
    this.#before = new Int32Array(occurrences);
    this.#scores = new Uint8Array(names.length);
    this.#lengths = Uint32Array.from(names, ({ length }) => length);
    let at = 0;
    for (const [name, own] of pairs.entries())
      for (const pair of own) {
        this.#nameAt[at] = name;
        this.#before[at] = this.#last[pair] ?? 0;
        this.#counts[pair] = (this.#counts[pair] ?? 0) + 1;
        at += 1;
        this.#last[pair] = at;
      }
  }

  /** The numbers of the names that share the most pairs with a word, in order. */
  find(word: string): number[] {
    const scores = this.#scores;
    const seen: number[] = [];
    const pairs = listPairs(word).toSorted(
      (a, b) => (this.#counts[a] ?? 0) - (this.#counts[b] ?? 0),
    );
    let left = MAX_OCCURRENCES;
    for (const pair of pairs) {
      let next = this.#last[pair] ?? 0;
      for (; next > 0 && left > 0; left -= 1) {
        const name = this.#nameAt[next - 1] ?? 0;
        const score = scores[name] ?? 0;
        if (score === 0) seen.push(name);
        scores[name] = score + 1;
        next = this.#before[next - 1] ?? 0;
      }
    }
    const ranks = Array.from(
      { length: (pairs.length + 1) * DIFFERENCES },
      (): number[] => [],
    );
    for (const name of seen) {
      const longer = Math.abs((this.#lengths[name] ?? 0) - word.length);
      const nearness = DIFFERENCES - 1 - Math.min(DIFFERENCES - 1, longer);
      ranks[(scores[name] ?? 0) * DIFFERENCES + nearness]?.push(name);
      scores[name] = 0;
    }
    const best: number[] = [];
    for (const same of ranks.toReversed())
      best.push(...same.slice(0, MAX_CANDIDATES - best.length));
    return best.toSorted((a, b) => a - b);
  }
}

/** The different pairs of adjacent letters of a word, its start and end included, as numbers below `BUCKETS`. */
function listPairs(name: string): number[] {
  const word = name.slice(0, MAX_LENGTH).toLowerCase();
  const pairs = new Set<number>();
  let before = 0;
  for (let at = 0; at <= word.length; at += 1) {
    const letter = at < word.length ? word.charCodeAt(at) : 1;
    pairs.add((before * 67 + letter) & (BUCKETS - 1));
    before = letter;
  }
  return [...pairs];
}

/** How many names may still be compared; without a limit, any number. */
let comparisonsLeft = Infinity;

/** Takes about 50 ms. After some hundred suggestions, nobody reads the next ones. */
const MAX_COMPARISONS = 50_000;

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
  known: Iterable<string> | NameIndex,
): string | undefined {
  if (word.length > MAX_LENGTH) return undefined;
  const index = known instanceof NameIndex ? known : new NameIndex(known);
  let best: string | undefined;
  let minDistance = Infinity;
  for (const candidate of index.findCandidates(word)) {
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
  known: Iterable<string> | NameIndex,
  quote: (name: string) => string = (name) => `"${name}"`,
): string {
  const index = known instanceof NameIndex ? known : new NameIndex(known);
  const names = index.findCandidates(word);
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
