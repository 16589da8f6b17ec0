// Parts of texts. A character is what readers see as one: also an emoji of several, or a letter with its accents.

/** Counts work as iterations; throws beyond the limit. */
interface Budget {
  spend(iterations: number): void;
}

const graphemes = new Intl.Segmenter("en");
/** A text whose characters have one code unit each. */
const SIMPLE = /^[\t\n -~\u00a0-\u02ff]*$/;
/** A code unit below it begins a character. */
const FIRST_JOINING = 0x300;
const CODE_UNITS_PER_ITERATION = 1000;
/** How much of an iteration finding the characters of a text costs, for each code unit. */
const SEGMENT_COST = 0.01;
/** How much of an iteration a part of a text costs, which is far less work than a component. */
export const PART_COST = 0.1;

/** Where a part, which is not empty, begins and ends with whole characters of the text. Occurrences do not overlap. */
function* findParts(
  text: string,
  part: string,
  budget: Budget,
): Generator<number, void> {
  let segments: Intl.Segments | undefined;
  const isBetween = (at: number) =>
    at === text.length ||
    text.charCodeAt(at) < FIRST_JOINING ||
    (segments ??= graphemes.segment(text)).containing(at)?.index === at;
  for (let at = text.indexOf(part); at >= 0;) {
    const end = at + part.length;
    const isWhole = isBetween(at) && isBetween(end);
    if (isWhole) yield at;
    else budget.spend(Math.floor(part.length / CODE_UNITS_PER_ITERATION));
    at = text.indexOf(part, isWhole ? end : at + 1);
  }
}

/** Whether a text contains a part; an empty part is in none. */
export function includesPart(
  text: string,
  part: string,
  budget: Budget,
): boolean {
  return part !== "" && !findParts(text, part, budget).next().done;
}

/** Whether a text starts with a part; none does with an empty one. */
export function startsWithPart(
  text: string,
  part: string,
  budget: Budget,
): boolean {
  if (part === "" || !text.startsWith(part)) return false;
  return findParts(text, part, budget).next().value === 0;
}

/** The texts between the separators; with an empty separator, the characters. */
export function splitText(
  text: string,
  separator: string,
  budget: Budget,
): string[] {
  if (separator === "") {
    budget.spend(text.length * PART_COST);
    return listCharacters(text);
  }
  budget.spend(Math.floor(text.length / CODE_UNITS_PER_ITERATION));
  const parts: string[] = [];
  let from = 0;
  for (const at of findParts(text, separator, budget)) {
    budget.spend(PART_COST);
    parts.push(text.slice(from, at));
    from = at + separator.length;
  }
  parts.push(text.slice(from));
  return parts;
}

/** The characters from `start` to before `end`; as in JavaScript, a negative number counts from the end. */
export function sliceText(
  text: string,
  start: number,
  end: number | undefined,
  budget: Budget,
): string {
  if (SIMPLE.test(text)) return text.slice(start, end);
  budget.spend(text.length * SEGMENT_COST);
  return listCharacters(text).slice(start, end).join("");
}

/** The number of characters. */
export function countCharacters(text: string, budget: Budget): number {
  if (SIMPLE.test(text)) return text.length;
  budget.spend(text.length * SEGMENT_COST);
  return listCharacters(text).length;
}

function listCharacters(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** The text, or as many of its first characters. */
export function cutText(text: string, max: number): string {
  let count = 0;
  for (const { index } of graphemes.segment(text))
    if (count++ === max) return text.slice(0, index);
  return text;
}
