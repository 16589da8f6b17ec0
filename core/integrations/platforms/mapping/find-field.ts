import {
  type FieldInfo,
  nearestWord,
  type TableInfo,
} from "../../../plugin-api/index.js";

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
  const near = nearestWord(word, names);
  if (near !== undefined) return `Did you mean "${near}"?`;
  if (names.length === 0) return "There is none.";
  const listed = names.slice(0, mostListed).map((name) => `"${name}"`);
  const more = names.length > mostListed ? ", …" : "";
  return `There are ${listed.join(", ")}${more}.`;
}
