import type { FieldInfo, Row, RowsFound } from "../../core/plugin-api/index.js";
import { decodeUriText } from "./http-api.js";

// What the shipped platforms share when they read and write cells.

/** Pairs the rows that were found with the ids that have none. */
export function toRowsFound(rows: Row[], ids: readonly string[]): RowsFound {
  const found = new Set(rows.map(({ id }) => id));
  return { rows, missing: ids.filter((id) => !found.has(id)) };
}

/** The lines of a cell that holds one link per line, trimmed and without empty ones. */
export function splitLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Adds a file's name to its link, after `#`: it can be read back without a request, and servers never see it. */
export function addFilename(url: string, filename: string): string {
  const link = new URL(url);
  link.hash = encodeURIComponent(filename);
  return link.href;
}

/** The file name that a link carries after `#`, or else the last part of its path. */
export function getFilename(url: string): string {
  if (!URL.canParse(url)) return url;
  const { hash, pathname } = new URL(url);
  const name = hash === "" ? pathname.split("/").at(-1) : hash.slice(1);
  return decodeUriText(name ?? "");
}

/** What columns are called by whose values people know a row, the clearest names first. */
const nameColumns = [
  /^(name|title|label)$/i,
  /^(number|no|nr|code)$/i,
  /_(no|nr|number|code)$/i,
];

/** The id of the text column whose values probably name a row. */
export function findNameColumn(
  fields: readonly FieldInfo[],
): string | undefined {
  const named = fields.filter(({ kind }) => kind === "text");
  return nameColumns
    .map((pattern) => named.find(({ name }) => pattern.test(name))?.id)
    .find((id) => id !== undefined);
}
