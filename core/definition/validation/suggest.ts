import { nearestWord } from "../../plugin-api/index.js";

/** A hint in words: the nearest name, or else the whole list when it is short enough to read. */
export function suggestion(name: string, known: readonly string[]): string {
  const meant = nearestWord(name, known);
  if (meant !== undefined) return `Did you mean "${meant}"?`;
  if (known.length === 0) return "Remove it.";
  return `Known are: ${known.join(", ")}.`;
}
