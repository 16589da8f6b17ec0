/** A text for a list, cut where it is longer than a list has room for. */
export function shortText<T extends string | null>(
  text: T,
  longest = 300,
): T | string {
  if (text === null || text.length <= longest) return text;
  const letters = Array.from(text).slice(0, longest).join("");
  return `${letters}…`;
}
