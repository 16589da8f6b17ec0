import type { PlannedValue } from "./walk-plan.js";

type Shape = Pick<PlannedValue, "type" | "kind">;

/** A cell's value as the template's schema wants it; null for an empty cell, and for what is no such value. */
export function cellValue(value: unknown, { type, kind }: Shape): unknown {
  if (value === undefined || value === null || value === "") return null;
  if (kind === "attachment") return firstAddress(value);
  if (type === "Number") return numberOf(single(value));
  if (type === "Date") return dateOf(single(value));
  return textOf(value);
}

/** Formulas and look-ups come as arrays on some platforms, of one value most often. */
function single(value: unknown): unknown {
  return Array.isArray(value) ? (value as unknown[])[0] : value;
}

function numberOf(value: unknown): number | null {
  if (typeof value === "boolean") return Number(value);
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "number" && typeof value !== "string") return null;
  if (typeof value === "string" && value.trim() === "") return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** A text is left as it is: a day alone stays a day, in whatever time zone it is printed. */
function dateOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  const isTime = typeof value === "number" || value instanceof Date;
  const date = isTime ? new Date(value) : null;
  if (date === null || Number.isNaN(date.getTime())) return null;
  return date.toISOString();
}

/** Numbers and truth values stay what they are, so that conditions and formats work; lists become one text. */
function textOf(value: unknown): string | number | boolean | null {
  if (Array.isArray(value)) {
    const texts = (value as unknown[]).map(textOf);
    return texts.filter((text) => text !== null).join(", ");
  }
  if (value instanceof Date) return value.toISOString();
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
      return value;
    case "bigint":
      return value.toString();
    case "object":
      return value === null ? null : nameOf(value);
    default:
      return null;
  }
}

/** The words in which platforms tell of people, choices, files and codes. */
const telling = [
  "name",
  "label",
  "title",
  "text",
  "value",
  "displayName",
  "email",
  "url",
];

function nameOf(value: object): string {
  const told = telling
    .map((key): unknown => Reflect.get(value, key))
    .find((one) => typeof one === "string" && one !== "");
  return typeof told === "string" ? told : JSON.stringify(value);
}

/** Of an attachment field: where its first file is, for an image. */
function firstAddress(value: unknown): string | null {
  const first = single(value);
  if (typeof first === "string") return first;
  if (typeof first !== "object" || first === null) return null;
  const url: unknown = Reflect.get(first, "url");
  return typeof url === "string" ? url : null;
}
