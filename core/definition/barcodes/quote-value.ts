/** Quotes a value for a message, on one line and shortened. */
export function quotedValue(value: string): string {
  return `"${oneLine(value, 40)}"`;
}

/** Whether the text contains half of a surrogate pair, which no code can encode. */
export function hasBrokenCharacter(value: string): boolean {
  return /\p{Cs}/u.test(value);
}

/**
 * Returns text on one line of at most `maxLength` characters. White space and control characters are collapsed to one
 * space; longer text ends with an ellipsis.
 */
export function oneLine(text: string, maxLength: number): string {
  // Truncate roughly first: a value may have megabytes, and a character has at most two code units.
  const start = text.slice(0, 4 * maxLength);
  const characters = Array.from(start.replace(/[\s\p{Cc}]+/gu, " ").trim());
  return characters.length > maxLength || start.length < text.length
    ? `${characters.slice(0, maxLength - 1).join("")}…`
    : characters.join("");
}
