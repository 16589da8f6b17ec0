import { oneLine } from "./one-line.js";

/** A value as messages quote it: on one line and in quotation marks, its end left off when it is long. */
export function quotedValue(value: string): string {
  return `"${oneLine(value, 40)}"`;
}

/** True for text with half of a surrogate pair, which no code can carry. */
export function hasBrokenCharacter(value: string): boolean {
  return /\p{Cs}/u.test(value);
}
