import { distance } from "fastest-levenshtein";
import type { FieldInfo, TableInfo } from "../../contract/index.js";

/** A field by its id, else by its name as written, else by its name whatever its case. */
export function findField(
  { fields }: Pick<TableInfo, "fields">,
  word: string,
): FieldInfo | undefined {
  const lower = word.toLowerCase();
  return (
    fields.find(({ id }) => id === word) ??
    fields.find(({ name }) => name === word) ??
    fields.find(({ name }) => name.toLowerCase() === lower)
  );
}

/** A table by its id, else by its name. */
export function findTable(
  tables: readonly TableInfo[],
  word: string,
): TableInfo | undefined {
  return (
    tables.find(({ id }) => id === word) ??
    tables.find(({ name }) => name === word)
  );
}

const mostListed = 20;

/** Which of the known names may have been meant, for the end of an error. */
export function nameHint(word: string, names: readonly string[]): string {
  const lower = word.toLowerCase();
  const near = names
    .map((name) => ({ name, steps: distance(lower, name.toLowerCase()) }))
    .filter(({ steps }) => steps <= Math.max(2, Math.floor(word.length / 3)))
    .toSorted((one, other) => one.steps - other.steps)[0];
  if (near) return `Did you mean "${near.name}"?`;
  if (names.length === 0) return "There is none.";
  const listed = names.slice(0, mostListed).map((name) => `"${name}"`);
  const more = names.length > mostListed ? ", …" : "";
  return `There are ${listed.join(", ")}${more}.`;
}
