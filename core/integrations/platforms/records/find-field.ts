import {
  type FieldInfo,
  findNearestWord,
  type TableInfo,
} from "../../../plugin-api/index.js";

/** Finds a field by id, then by name, then by name ignoring case. */
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

/** Finds a table by id, then by name. */
export function findTable(
  tables: readonly TableInfo[],
  word: string,
): TableInfo | undefined {
  return (
    tables.find(({ id }) => id === word) ??
    tables.find(({ name }) => name === word)
  );
}

export function tableNotFound(
  word: string,
  tables: readonly TableInfo[],
): string {
  const names = tables.map(({ name }) => name);
  return `There is no table "${word}" that the connection can read. ${suggestName(word, names)}`;
}

export function fieldNotFound(word: string, { name }: TableInfo): string {
  return `The table "${name}" has no field "${word}".`;
}

const maxListed = 20;

/** The end of an error message about an unknown name: the nearest known name, or a list of them. */
export function suggestName(word: string, names: readonly string[]): string {
  const nearest = findNearestWord(word, names);
  if (nearest !== undefined) return `Did you mean "${nearest}"?`;
  if (names.length === 0) return "None are available.";
  const listed = names.slice(0, maxListed).map((name) => `"${name}"`);
  const more = names.length > maxListed ? ", …" : "";
  return `Available: ${listed.join(", ")}${more}.`;
}
