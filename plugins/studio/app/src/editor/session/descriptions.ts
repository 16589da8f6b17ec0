import type { Component } from "../../../../../../core/plugin-api/definition.js";
import { countOf } from "../../format.js";
import { catalogEntry } from "../model/catalog.js";
import { isObject } from "./merge/same-json.js";

const maxNameLength = 40;

/** How a component is called among others: "Heading “Invoice”". */
export function partName(component: Component): string {
  const { words } = catalogEntry(component.type);
  const text = "text" in component ? component.text : undefined;
  if (text === undefined || text.length === 0) return words;
  const said = valueWords(text);
  const short =
    said.length > maxNameLength ? `${said.slice(0, maxNameLength - 1)}…` : said;
  return `${words} “${short}”`;
}

const known: Readonly<Record<string, string>> = {
  alt: "Description of the picture",
  class: "Styles",
  collection: "What it repeats for",
  collectionId: "Kind of record",
  columns: "Widths of the columns",
  components: "Contents",
  condition: "When it is shown",
  currency: "Currency",
  data: "List that is drawn",
  else: "What is shown instead",
  email: "Email",
  empty: "What is shown for an empty list",
  fields: "Fields",
  fileName: "File name",
  filter: "Which are shown",
  firstFooter: "Footer of the first page",
  firstHeader: "Header of the first page",
  groupBy: "Grouped by",
  href: "Link",
  keepTogether: "SignedOutNotice on one page",
  landscape: "Landscape",
  limit: "At most",
  locale: "Language",
  offset: "Left out at the beginning",
  page: "Page",
  path: "Repeats for each of",
  pdf: "PDF",
  place: "Place",
  sample: "Sample data",
  schema: "Data",
  size: "Size",
  sort: "Order",
  src: "Picture",
  style: "Style",
  styles: "Styles",
  submitters: "Signers",
  text: "Text",
  timeZone: "Time zone",
};

/** What the last names of a path are called: `["style", "font-size"]` is "Font size". */
export function propertyWords(path: readonly string[]): string {
  const [first = "", ...others] = path;
  const last = others.at(-1);
  if (last === undefined) return wordsOf(first);
  if (first === "style" || first === "collection") return wordsOf(last);
  return [first, ...others].map(wordsOf).join(" › ");
}

function wordsOf(name: string): string {
  const told = known[name];
  if (told !== undefined) return told;
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("-", " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const maxValueLength = 400;

/** A property's value for people; what is no text is told by what it holds. */
export function valueWords(value: unknown): string {
  const words = wordsFor(value).replaceAll(/\s+/g, " ").trim();
  if (words === "") return "Nothing";
  return words.length > maxValueLength
    ? `${words.slice(0, maxValueLength - 1)}…`
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
