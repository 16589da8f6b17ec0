import { countOf } from "../../../format.js";
import { isObject } from "../join/same-json.js";

const mostLetters = 400;

/** A property's value for people; what is no text is told by what it holds. */
export function valueWords(value: unknown): string {
  const words = wordsFor(value).replaceAll(/\s+/g, " ").trim();
  if (words === "") return "Nothing";
  return words.length > mostLetters
    ? `${words.slice(0, mostLetters - 1)}…`
    : words;
}

function wordsFor(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return listWords(value);
  return isObject(value) ? objectWords(value) : "";
}

/** Texts with marks are lists of their pieces. */
function listWords(list: readonly unknown[]): string {
  const isText = list.every(
    (one) =>
      typeof one === "string" ||
      (isObject(one) && ("text" in one || "br" in one || "pageNumber" in one)),
  );
  if (!isText) return list.map(wordsFor).join(", ");
  return list
    .map((one) => {
      if (typeof one === "string") return one;
      if (!isObject(one)) return "";
      return typeof one["text"] === "string" ? one["text"] : " ";
    })
    .join("");
}

function objectWords(value: Readonly<Record<string, unknown>>): string {
  if (Array.isArray(value["rules"])) return ruleWords(value["rules"]);
  if (typeof value["path"] === "string") return `Each of ${value["path"]}`;
  return Object.entries(value)
    .map(([name, one]) => `${name}: ${wordsFor(one)}`)
    .join(", ");
}

function ruleWords(rules: readonly unknown[]): string {
  const told = rules.map((rule) => {
    if (!isObject(rule)) return "";
    const { field, operator, value } = rule;
    if (typeof field !== "string") return "a group of rules";
    return `${field} ${wordsFor(operator)} ${wordsFor(value)}`.trim();
  });
  return `${countOf(rules.length, "rule")}: ${told.join("; ")}`;
}
