/** WORD JOINER: of no width, and no place to break a line. */
const joiner = "\u2060";

/**
 * The text, in which no provider finds a tag of its own: between two braces that follow each other stands a joiner. Text
 * without such braces stays as it is.
 */
export function breakTags(text: string): string {
  return text.replaceAll(/\{(?=\{)|\}(?=\})/g, (brace) => brace + joiner);
}

/** The same for every text in a value, and for its keys. */
export function breakTagsWithin(value: unknown): unknown {
  if (typeof value === "string") return breakTags(value);
  if (Array.isArray(value)) return value.map(breakTagsWithin);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, held]) => [
      breakTags(key),
      breakTagsWithin(held),
    ]),
  );
}
