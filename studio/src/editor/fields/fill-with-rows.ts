import type {
  DataCollection,
  Field,
  Json,
} from "../../../../core/plugin-api/definition.js";
import {
  BooleanProfile,
  parseBooleanText,
} from "../../../../core/plugin-api/boolean-text.js";
import {
  findDateOrder,
  parseDateText,
} from "../../../../core/plugin-api/file-reader.js";
import { parseLosslessJson } from "../../../../core/plugin-api/lossless-json.js";
import { findSyntaxError } from "../json/read-json.js";
import { knownLocale } from "../scope/samples.js";
import { type JsonRecord, toRecord } from "./make-sample.js";
import { inferSchema } from "./infer-schema.js";
import {
  findFreeName,
  getFieldLabel,
  getRoot,
  toFieldName,
} from "./schema-edits.js";

// Reads rows that a person pastes: CSV, rows copied from a spreadsheet, or a JSON array of records.

export interface Column {
  /** The header's text; "" without one. */
  label: string;
  /** Whether the label is the name in the data, as in JSON. */
  isName?: boolean;
  kind: "text" | "number" | "money" | "percent" | "date" | "boolean";
  /** Of money: the ISO 4217 code, or `$`, which is that of several currencies. */
  currency?: string;
  /** One per row; null for an empty cell. */
  values: readonly Json[];
}

/** Where pasted rows go: entries of a list of the record, or the record itself. */
export type RowsTarget =
  | { kind: "record" }
  | { kind: "list"; name: string }
  | { kind: "newList"; label: string };

/** The cells of a pasted text; null for none. A tab separates them if there is one, else `;` or `,`. */
export function readCells(text: string): string[][] | null {
  const body = text.replace(/^\uFEFF/, "").replace(/\s+$/, "");
  if (body.trim() === "") return null;
  const unquoted = body.replaceAll(/"(?:[^"]|"")*"/g, "");
  const count = (sign: string) => unquoted.split(sign).length;
  const separator = unquoted.includes("\t")
    ? "\t"
    : count(";") > count(",")
      ? ";"
      : ",";
  const rows = splitCells(body, separator);
  const width = Math.max(...rows.map((row) => row.length));
  return rows
    .filter((row) => row.some((cell) => cell.trim() !== ""))
    .map((row) => Array.from({ length: width }, (_, at) => row[at] ?? ""));
}

/** RFC 4180: a quoted cell may contain separators, line breaks and doubled quotes. */
function splitCells(text: string, separator: string): string[][] {
  const rows: string[][] = [[]];
  for (let at = 0; at <= text.length;) {
    const isQuoted = text[at] === '"';
    const quoted = isQuoted && /"((?:[^"]|"")*)"/y;
    if (quoted) quoted.lastIndex = at;
    const inner = quoted ? quoted.exec(text) : null;
    const from = inner ? at + inner[0].length : at;
    let end = from;
    while (end < text.length && text[end] !== separator && text[end] !== "\n")
      end += 1;
    const rest = text.slice(from, end).replace(/\r$/, "");
    const cell = inner ? (inner[1] ?? "").replaceAll('""', '"') + rest : rest;
    rows.at(-1)?.push(cell.trim());
    if (text[end] === "\n") rows.push([]);
    at = end + 1;
  }
  return rows;
}

/** Whether the first row names the columns: all its cells are different texts, and rows follow. */
export function hasHeader([first = [], ...rows]: readonly string[][]): boolean {
  return (
    rows.length > 0 &&
    new Set(first).size === first.length &&
    first.every(
      (cell) => cell !== "" && readColumn([cell], "en").kind === "text",
    )
  );
}

/**
 * Recognizes the kind of each column by its values.
 * @param locale of the template; decides what 1,234 and 01/02/2026 are when the other values do not
 */
export function readColumns(
  cells: readonly string[][],
  isNamed: boolean,
  locale: string,
): Column[] {
  const [first = []] = cells;
  const rows = isNamed ? cells.slice(1) : cells;
  return first.map((label, at) => ({
    label: isNamed ? label : "",
    ...readColumn(
      rows.map((row) => row[at] ?? ""),
      locale,
    ),
  }));
}

/** The columns of a JSON array of records; null for any other text. */
export function readJsonRows(text: string): Column[] | null {
  if (!text.trimStart().startsWith("[") || findSyntaxError(text)) return null;
  // The parser returns JSON.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const list = parseLosslessJson(text) as Json;
  if (!Array.isArray(list) || list.length === 0) return null;
  const records = list.map(toRecord);
  const names = new Set(records.flatMap((record) => Object.keys(record)));
  return [...names].map((label) => ({
    label,
    isName: true,
    kind: "text",
    values: records.map((record) => record[label] ?? null),
  }));
}

function readColumn(
  cells: readonly string[],
  locale: string,
): Omit<Column, "label"> {
  const filled = cells.filter((cell) => cell !== "");
  const readers: [Column["kind"], Reader | null][] = [
    ["boolean", findBooleanReader(filled)],
    ["date", findDateReader(filled, locale)],
    ["number", findNumberReader(filled, locale)],
  ];
  for (const [kind, read] of readers) {
    if (!read || filled.length === 0) continue;
    const values = cells.map(read);
    if (values.every((value, at) => cells[at] === "" || value !== null))
      return kind === "number"
        ? { ...findUnit(filled), values }
        : { kind, values };
  }
  return { kind: "text", values: cells.map((cell) => cell || null) };
}

const currencies: ReadonlyMap<string, string> = new Map([
  ["€", "EUR"],
  ["£", "GBP"],
  ["¥", "JPY"],
]);

/** What every number of a column has: the same currency, or the percent sign. */
function findUnit(cells: readonly string[]): Pick<Column, "kind" | "currency"> {
  const units = new Set(
    cells.map((cell) => /[€$£¥%]|CHF|EUR|USD|GBP/.exec(cell)?.[0] ?? ""),
  );
  const names = new Set(
    [...units].map((symbol) => currencies.get(symbol) ?? symbol),
  );
  const [unit = ""] = names;
  if (names.size > 1 || unit === "") return { kind: "number" };
  return unit === "%" ? { kind: "percent" } : { kind: "money", currency: unit };
}

/** Null for a cell of another kind. */
type Reader = (cell: string) => Json;

/** Null for cells that are not all yes or no; a column of 1 and 0 has numbers. */
function findBooleanReader(cells: readonly string[]): Reader | null {
  const profile = new BooleanProfile();
  const mayBe = cells.map((cell) => profile.add(cell)).every(Boolean);
  if (!mayBe || !profile.isSure || cells.every((cell) => /^[01]$/.test(cell)))
    return null;
  const { style } = profile;
  return (cell) => {
    if (cell === "") return style === "marks" ? false : null;
    return parseBooleanText(cell, style);
  };
}

/** A column has one order of day and month: that which its values show, else the locale's. */
function findDateReader(cells: readonly string[], locale: string): Reader {
  const orders = new Set(cells.map(findDateOrder));
  const usual = /^en(?:-US)?$/.test(locale) ? "MDY" : "DMY";
  const order =
    (["DMY", "MDY"] as const).find((shape) => orders.has(shape)) ?? usual;
  return (cell) => (cell === "" ? null : parseDateText(cell, order));
}

/** A currency before or after the number; a percent sign after it. With a plus sign it is rather a phone number. */
const amount =
  /^([-−]?)\s*(?:[€$£¥]|CHF|EUR|USD|GBP)?\s*([-−]?\d[\d.,'’\u00a0\u202f ]*)\s*(?:[€$£¥]|CHF|EUR|USD|GBP|(%))?$/;

/** A column has one decimal sign: that which all its values allow, else the locale's. */
function findNumberReader(cells: readonly string[], locale: string): Reader {
  const digits = cells.map((cell) => amount.exec(cell)?.[2]?.trim() ?? "");
  const localeSign =
    new Intl.NumberFormat(knownLocale(locale))
      .formatToParts(1.5)
      .find(({ type }) => type === "decimal")?.value === ","
      ? ","
      : ".";
  const other = localeSign === "," ? "." : ",";
  const decimal = [localeSign, other].find((sign) =>
    digits.every((text) => getNumberPattern(sign).test(text)),
  );
  return (cell) => {
    const [, sign = "", written = "", percent] = amount.exec(cell) ?? [];
    if (decimal === undefined || written === "") return null;
    const plain = written
      .trim()
      .replaceAll(decimal === "," ? "." : ",", "")
      .replaceAll(/['’\s]/g, "")
      .replace(",", ".")
      .replace("−", "-");
    // Numbers such as postal codes begin with 0, and those of bank accounts have more digits than a number keeps.
    const isCode = /^0\d/.test(plain) || plain.replace(/\D/g, "").length > 15;
    const value = Number(`${sign.replace("−", "-")}${plain}`);
    if (isCode || Number.isNaN(value)) return null;
    return percent === undefined
      ? value
      : Number((value / 100).toPrecision(15));
  };
}

function getNumberPattern(decimal: string): RegExp {
  const point = decimal === "." ? "\\." : ",";
  const group = decimal === "." ? "[,'’\\s]" : "[.'’\\s]";
  return new RegExp(
    `^[-−]?(?:\\d{1,3}(?:${group}\\d{3})+|\\d+)(?:${point}\\d+)?$`,
  );
}

/** The lists of the record, with how many of the columns each has: those with most first. */
export function listTargets(
  schema: Schema,
  columns: readonly Column[],
): { name: string; label: string }[] {
  const root = getRoot(schema);
  return root.fields
    .filter(({ type }) => type === "OneToManyLink")
    .map((field) => {
      const { fields = [] } = findLinked(schema, root, field.name) ?? {};
      const matching = columns.filter(({ label }) => findName(fields, label));
      const label = getFieldLabel(field);
      return { name: field.name, label, matches: matching.length };
    })
    .toSorted((list, other) => other.matches - list.matches);
}

/**
 * Puts pasted rows into the sample and adds the fields that are new; declared fields stay as they are.
 * @param currency the template's
 */
export function fillWithRows(
  schema: Schema,
  sample: Json | undefined,
  columns: readonly Column[],
  target: RowsTarget,
  currency = "USD",
): { schema: Schema; sample: JsonRecord } {
  const root = getRoot(schema);
  const list = getListName(root, target);
  const owner = list === null ? root : findLinked(schema, root, list);
  const fieldParts = new Map<string, FieldPart>();
  const records = toRecords(owner?.fields ?? [], columns, currency, fieldParts);
  const next = {
    ...toRecord(sample),
    ...(list === null ? records[0] : { [list]: records }),
  };
  const grown = inferSchema(schema, next);
  const id =
    list === null ? root.id : findLinked(grown, getRoot(grown), list)?.id;
  const described = describeNew(grown, id, owner?.fields ?? [], fieldParts);
  const lists = new Map(
    list !== null && target.kind === "newList"
      ? [[list, { label: target.label }]]
      : [],
  );
  return {
    sample: next,
    schema: describeNew(described, root.id, root.fields, lists),
  };
}

type Schema = readonly DataCollection[];
type Fields = DataCollection["fields"];

function getListName(root: DataCollection, target: RowsTarget): string | null {
  if (target.kind === "record") return null;
  if (target.kind === "list") return target.name;
  const taken = root.fields.map(({ name }) => name);
  return findFreeName(toFieldName(target.label) ?? "items", taken);
}

/** The collection that a link of a record leads to. */
function findLinked(
  schema: Schema,
  { fields }: DataCollection,
  name: string,
): DataCollection | undefined {
  const field = fields.find((candidate) => candidate.name === name);
  const id = field && "target" in field ? field.target : undefined;
  return schema.find((collection) => collection.id === id);
}

/** What a column says about its field. */
interface FieldPart {
  label?: string;
  format?: NonNullable<Extract<Field, { type: "Number" }>["format"]>;
  currency?: string;
}

/** Adds labels and formats to the fields of a collection that it did not have before. */
function describeNew(
  schema: Schema,
  id: string | undefined,
  before: Fields,
  parts: ReadonlyMap<string, FieldPart>,
): Schema {
  return schema.map((collection) => {
    if (collection.id !== id) return collection;
    const fields = collection.fields.map((field) => {
      const { name } = field;
      const part = parts.get(name);
      if (!part || before.some((old) => old.name === name)) return field;
      const { label = name, ...format } = part;
      const labeled = label === name ? field : { ...field, label };
      return labeled.type === "Number" ? { ...labeled, ...format } : labeled;
    });
    return { ...collection, fields };
  });
}

/** The name of the scalar field that a column's header names. */
function findName(fields: Fields, label: string): string | undefined {
  const wanted = label.toLowerCase();
  if (wanted === "") return undefined;
  return fields.find(
    (field) =>
      !("target" in field) &&
      [field.name, getFieldLabel(field), field.source].some(
        (name) => name?.toLowerCase() === wanted,
      ),
  )?.name;
}

/** The currency is left out when it is the template's, or may be. */
function getFormat(
  { kind, currency: unit = "" }: Column,
  currency: string,
): Pick<FieldPart, "format" | "currency"> {
  if (kind === "percent") return { format: "percent" };
  if (kind !== "money") return {};
  const options = { style: "currency", currency } as const;
  const sign = new Intl.NumberFormat("en", {
    ...options,
    currencyDisplay: "narrowSymbol",
  })
    .formatToParts(1)
    .find(({ type }) => type === "currency")?.value;
  return unit === currency || unit === sign
    ? { format: "currency" }
    : { format: "currency", currency: unit === "$" ? "USD" : unit };
}

/** @param parts receives what the columns say by the names of the fields */
function toRecords(
  fields: Fields,
  columns: readonly Column[],
  currency: string,
  parts: Map<string, FieldPart>,
): JsonRecord[] {
  const taken = fields.map(({ name }) => name);
  const named = columns.map((column, at) => {
    const { label, isName = false, values } = column;
    const wanted = toFieldName(label) ?? `column${at + 1}`;
    const name = isName
      ? label
      : (findName(fields, label) ?? findFreeName(wanted, taken));
    taken.push(name);
    parts.set(name, {
      ...(label !== "" && { label }),
      ...getFormat(column, currency),
    });
    return { name, values };
  });
  const count = columns[0]?.values.length ?? 0;
  return Array.from({ length: count }, (_, row) =>
    Object.fromEntries(
      named.map(({ name, values }) => [name, values[row] ?? null]),
    ),
  );
}
