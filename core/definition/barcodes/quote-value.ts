/** A value as messages quote it: on one line and in quotation marks, its end left off when it is long. */
export function quotedValue(value: string): string {
  return `"${oneLine(value, 40)}"`;
}

/** True for text with half of a surrogate pair, which no code can carry. */
export function hasBrokenCharacter(value: string): boolean {
  return /\p{Cs}/u.test(value);
}

/**
 * Text as one line of at most `maxLength` characters: each run of white space and control characters is one space, and
 * what is too long ends with an ellipsis.
 */
export function oneLine(text: string, maxLength: number): string {
  // Cut roughly first: a value may be megabytes, and a character has at most two units.
  const start = text.slice(0, 4 * maxLength);
  const characters = Array.from(start.replace(/[\s\p{Cc}]+/gu, " ").trim());
  return characters.length > maxLength || start.length < text.length
    ? `${characters.slice(0, maxLength - 1).join("")}…`
    : characters.join("");
}
