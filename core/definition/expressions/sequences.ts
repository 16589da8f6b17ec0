import { formatIso, fromDayNumber, toDayNumber } from "./dates.js";
import type { MergeContext, SequenceUse } from "./scope.js";

// Numbers of a sequence, such as those of invoices: `sequence("invoices", "RE-{yyyy}-{0000}")`. An expression only says
// which number a document needs and how it is written. The service reserves it.

const MAX_LENGTH = 64;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u;
const PLACEHOLDER = /\{([^{}]*)\}/g;
const DATE_PARTS: Readonly<Record<string, (day: string) => string>> = {
  yyyy: (day) => day.slice(0, 4),
  yy: (day) => day.slice(2, 4),
  MM: (day) => day.slice(5, 7),
  dd: (day) => day.slice(8, 10),
};

/** Returns the problem of the arguments of `sequence`, or null. */
export function checkSequence([name, pattern]: readonly unknown[]):
  string | null {
  if (typeof name !== "string" || typeof pattern !== "string")
    return "The name and the pattern must be texts in quotes.";
  if (name.length > MAX_LENGTH || !NAME.test(name))
    return `The name of a sequence has 1 to ${MAX_LENGTH} letters, digits, spaces, dots and dashes.`;
  if (pattern.length > MAX_LENGTH)
    return `The pattern has more than ${MAX_LENGTH} characters.`;
  const parts = Array.from(pattern.matchAll(PLACEHOLDER), ([, part]) => part);
  const unknown = parts.find(
    (part = "") => !isDigits(part) && !Object.hasOwn(DATE_PARTS, part),
  );
  if (unknown !== undefined)
    return `The pattern has the unknown part {${unknown}}. It may have {yyyy}, {yy}, {MM}, {dd} and zeros, such as {0000}.`;
  if (parts.filter((part = "") => isDigits(part)).length !== 1)
    return "The pattern needs one part for the number: as many zeros as it has digits, such as {0000}.";
  if (parts.includes("dd") && !parts.includes("MM"))
    return "A pattern with {dd} needs {MM} too, since its numbers restart each day.";
  if (parts.includes("MM") && !parts.some((part) => part?.startsWith("yy")))
    return "A pattern with {MM} needs {yyyy} or {yy} too, since its numbers restart each month.";
  return null;
}

/** The number of a sequence as it is printed: zeros in its place when the document has none. */
export function evaluateSequence(
  name: string,
  pattern: string,
  context: MergeContext,
): string {
  const { now, timeZone } = context;
  const use = createSequenceUse(name, pattern, now, timeZone);
  return context.findNumber(use) ?? writeNumber(use, 0);
}

export function createSequenceUse(
  name: string,
  pattern: string,
  now: Date,
  timeZone: string,
): SequenceUse {
  const day = formatIso(
    fromDayNumber(toDayNumber({ time: now.getTime(), isDay: false }, timeZone)),
  );
  const period = day.slice(0, getPeriodLength(pattern));
  const dated = pattern.replaceAll(
    PLACEHOLDER,
    (whole, part: string) => DATE_PARTS[part]?.(day) ?? whole,
  );
  return { name, pattern, period, dated };
}

/** A number as its document prints it. */
export function writeNumber(
  { dated }: Pick<SequenceUse, "dated">,
  value: number,
): string {
  return dated.replace(PLACEHOLDER, (_whole, digits: string) =>
    String(value).padStart(digits.length, "0"),
  );
}

function isDigits(part: string): boolean {
  return /^0{1,12}$/.test(part);
}

/** Of the part of `2026-03-31` that the pattern has. */
function getPeriodLength(pattern: string): number {
  if (pattern.includes("{dd}")) return "yyyy-MM-dd".length;
  if (pattern.includes("{MM}")) return "yyyy-MM".length;
  return /\{yy(?:yy)?\}/.test(pattern) ? "yyyy".length : 0;
}
