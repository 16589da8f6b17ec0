import { closest, distance } from "fastest-levenshtein";

/** The known name that was most likely meant, or undefined when none is near. */
export function nearest(
  name: string,
  known: readonly string[],
): string | undefined {
  if (known.length === 0) return undefined;
  const lower = name.toLowerCase();
  const found = closest(
    lower,
    known.map((one) => one.toLowerCase()),
  );
  const longer = Math.max(name.length, found.length);
  if (distance(lower, found) > longer * 0.4) return undefined;
  return known.find((one) => one.toLowerCase() === found);
}

/** A hint in words: the nearest name, or else the whole list when it is short enough to read. */
export function suggestion(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  if (meant !== undefined) return `Did you mean "${meant}"?`;
  if (known.length === 0) return "Remove it.";
  return `Known are: ${known.join(", ")}.`;
}
