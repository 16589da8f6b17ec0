import type { Component } from "../../../../../../core/plugin-api/definition.js";
import { countOf } from "../../format.js";
import { getCatalogEntry } from "../model/catalog.js";
import { isObject } from "./merge/same-json.js";

const maxNameLength = 40;

/** Names a component by its type and text: "Heading “Invoice”". */
export function describeComponent(component: Component): string {
  const { words } = getCatalogEntry(component.type);
  const text = "text" in component ? component.text : undefined;
  if (text === undefined || text.length === 0) return words;
  const full = describeValue(text);
  const short =
    full.length > maxNameLength ? `${full.slice(0, maxNameLength - 1)}…` : full;
  return `${words} “${short}”`;
}

const labels: Readonly<Record<string, string>> = {
  alt: "Alternative text",
  class: "Styles",
  collection: "Repeats for",
  collectionId: "Item name",
  columns: "Column widths",
  components: "Contents",
  condition: "Condition",
  currency: "Currency",
  data: "Chart data",
  else: "Shown otherwise",
  email: "Email",
  empty: "Shown for an empty list",
  fields: "Fields",
  fileName: "File name",
  filter: "Filter",
  firstFooter: "First page footer",
  firstHeader: "First page header",
  groupBy: "Grouped by",
  href: "Link",
  keepTogether: "SignedOutNotice on one page",
  landscape: "Landscape",
  limit: "At most",
  locale: "Language",
  offset: "Skip first",
  page: "Page",
  path: "Repeats for each item of",
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

/** The label of the property at a path: `["style", "font-size"]` is "Font size". */
export function describeSchemaProperty(path: readonly string[]): string {
  const [first = "", ...others] = path;
  const last = others.at(-1);
  if (last === undefined) return getLabel(first);
  if (first === "style" || first === "collection") return getLabel(last);
  return [first, ...others].map(getLabel).join(" › ");
}

function getLabel(name: string): string {
  const label = labels[name];
  if (label !== undefined) return label;
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("-", " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const maxValueLength = 400;

/** A property's value in words. */
export function describeValue(value: unknown): string {
  const words = describeAny(value).replaceAll(/\s+/g, " ").trim();
  if (words === "") return "Nothing";
  return words.length > maxValueLength
    ? `${words.slice(0, maxValueLength - 1)}…`
    : words;
}

function describeAny(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return describeList(value);
  return isObject(value) ? describeObject(value) : "";
}

/** Formatted texts are lists of inline pieces. */
function describeList(list: readonly unknown[]): string {
  const isText = list.every(
    (one) =>
      typeof one === "string" ||
      (isObject(one) && ("text" in one || "br" in one || "pageNumber" in one)),
  );
  if (!isText) return list.map(describeAny).join(", ");
  return list
    .map((one) => {
      if (typeof one === "string") return one;
      if (!isObject(one)) return "";
      return typeof one["text"] === "string" ? one["text"] : " ";
    })
    .join("");
}

function describeObject(value: Readonly<Record<string, unknown>>): string {
  if (Array.isArray(value["rules"])) return describeRules(value["rules"]);
  if (typeof value["path"] === "string") return `Each of ${value["path"]}`;
  return Object.entries(value)
    .map(([name, one]) => `${name}: ${describeAny(one)}`)
    .join(", ");
}

function describeRules(rules: readonly unknown[]): string {
  const descriptions = rules.map((rule) => {
    if (!isObject(rule)) return "";
    const { field, operator, value } = rule;
    if (typeof field !== "string") return "a group of rules";
    return `${field} ${describeAny(operator)} ${describeAny(value)}`.trim();
  });
  return `${countOf(rules.length, "rule")}: ${descriptions.join("; ")}`;
}
