/** As in documents: a space of its own, for what has no width is left out by readers of PDFs. */
const gap = "\u00a0";
const unseen = "[\\p{Default_Ignorable_Code_Point}\\s]*";
const opening = new RegExp(`\\{(?=${unseen}\\{)`, "gu");
const closing = new RegExp(`\\}(?=${unseen}\\})`, "gu");

/**
 * The text, in which no provider finds a tag of its own: two braces that follow each other are held apart. Text without
 * such braces stays as it is.
 */
export function breakTags(text: string): string {
  return text.replaceAll(opening, `{${gap}`).replaceAll(closing, `}${gap}`);
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
