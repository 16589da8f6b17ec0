import { isFormulaError } from "../../definition/index.js";
import {
  parseBooleanText,
  parseLosslessNumber,
} from "../../plugin-api/index.js";
import type { PlannedValue } from "./fetch-plan.js";

/**
 * Converts a cell's value to the type of the schema's field; null for an empty cell. What is not of the type stays as it
 * is, for the check of the data, which reports it.
 */
export function convertCell(
  value: unknown,
  {
    type,
    kind,
    scale = 1,
    isEmptyNo = false,
  }: Pick<PlannedValue, "type" | "kind" | "scale" | "isEmptyNo">,
): unknown {
  if (value === undefined || value === null || value === "")
    return type === "Boolean" && isEmptyNo ? false : null;
  if (kind === "attachment") return getFirstUrl(value);
  switch (type) {
    case "Number":
      return convertValues(value, (single) =>
        multiply(toNumber(single), scale),
      );
    case "Date":
      return convertValues(value, toDate);
    case "Boolean":
      return convertValues(value, toBoolean);
    default:
      return toText(value);
  }
}

/**
 * Platforms return lookups and some formulas as lists: one with a single value is that value, and one with several stays
 * a list.
 * @param convert returns null for a value of another type
 */
function convertValues(
  value: unknown,
  convert: (single: unknown) => unknown,
): unknown {
  const values = [value].flat(Infinity).filter((item) => !isBlank(item));
  const converted = values.map(
    (item) => getFormulaError(item) ?? convert(item) ?? toText(item),
  );
  return converted.length > 1 ? converted : (converted[0] ?? null);
}

function isBlank(value: unknown): boolean {
  return value == null || (typeof value === "string" && value.trim() === "");
}

/** What the platform shows in place of the value of a formula that failed; the check of the data lists it. */
function getFormulaError(value: unknown): string | null {
  if (typeof value === "string") return isFormulaError(value) ? value : null;
  if (typeof value !== "object" || value === null) return null;
  const entries = Object.entries(value);
  const [[key, text] = []] = entries;
  const isError = key === "error" || key === "specialValue";
  return isError && entries.length === 1 && typeof text === "string"
    ? text
    : null;
}

/** A number that JavaScript would round stays a text of its digits. */
function toNumber(value: unknown): number | string | null {
  if (typeof value === "boolean") return Number(value);
  if (typeof value === "bigint") return parseLosslessNumber(String(value));
  if (typeof value !== "number" && typeof value !== "string") return null;
  const number = Number(value);
  if (!Number.isFinite(number)) return null;
  return typeof value === "string" ? parseLosslessNumber(value.trim()) : number;
}

/** Without the error of the binary fraction: 7 by 0.01 is 0.07. */
function multiply(value: ReturnType<typeof toNumber>, scale: number) {
  return value === null || scale === 1
    ? value
    : Number((Number(value) * scale).toPrecision(15));
}

/** Keeps a string as it is, so that a date without a time is printed as the same day in every time zone. */
function toDate(value: unknown): string | null {
  if (typeof value === "string") return value;
  const isTime = typeof value === "number" || value instanceof Date;
  const date = isTime ? new Date(value) : null;
  if (date === null || Number.isNaN(date.getTime())) return null;
  return date.toISOString();
}

function toBoolean(value: unknown): boolean | null {
  if (typeof value === "boolean") return value;
  if (typeof value === "bigint" || typeof value === "number")
    return parseBooleanText(String(value));
  const text = toText(value);
  return typeof text === "string" ? parseBooleanText(text) : null;
}

/** Keeps numbers and booleans as they are, for conditions and formats; joins arrays to one text. */
function toText(value: unknown): string | number | boolean | null {
  if (Array.isArray(value)) {
    const texts = (value as unknown[]).map(toText);
    return texts.filter((text) => text !== null).join(", ");
  }
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? String(value) : value.toISOString();
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
      return value;
    case "bigint":
      return value.toString();
    case "object":
      return value === null
        ? null
        : (getFormulaError(value) ?? getDisplayText(value));
    default:
      return null;
  }
}

/** The properties in which platforms return the text of people, choices, files and barcodes. */
const textProperties = [
  "name",
  "label",
  "title",
  "text",
  "value",
  "displayName",
  "email",
  "url",
];

function getDisplayText(value: object): string {
  const text = textProperties
    .map((key): unknown => Reflect.get(value, key))
    .find((candidate) => typeof candidate === "string" && candidate !== "");
  return typeof text === "string" ? text : JSON.stringify(value);
}

/** The URL of an attachment field's first file, for an image. */
function getFirstUrl(value: unknown): string | null {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof first === "string") return first;
  if (typeof first !== "object" || first === null) return null;
  const url: unknown = Reflect.get(first, "url");
  return typeof url === "string" ? url : null;
}
