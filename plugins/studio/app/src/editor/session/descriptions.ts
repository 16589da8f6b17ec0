import type { Component } from "../../../../../../core/plugin-api/definition.js";
import { getCatalogEntry } from "../model/catalog.js";
import { isObject } from "./merge/same-json.js";
import { en } from "../../messages/en/index.js";
import { t } from "../../messages/index.js";

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

/** The label of the property at a path: `["style", "font-size"]` is "Font size". */
export function describeSchemaProperty(path: readonly string[]): string {
  const [first = "", ...others] = path;
  const last = others.at(-1);
  if (last === undefined) return getLabel(first);
  if (first === "style" || first === "collection") return getLabel(last);
  return [first, ...others].map(getLabel).join(" › ");
}

/** Named styles and extensions have no label. */
function getLabel(name: string): string {
  return isLabeled(name) ? t(`property.${name}`) : name;
}

function isLabeled(name: string): name is keyof typeof en.property {
  return Object.hasOwn(en.property, name);
}

const maxValueLength = 400;

/** A property's value in words. */
export function describeValue(value: unknown): string {
  const words = describeAny(value).replaceAll(/\s+/g, " ").trim();
  if (words === "") return t("common.nothing");
  return words.length > maxValueLength
    ? `${words.slice(0, maxValueLength - 1)}…`
    : words;
}

function describeAny(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (typeof value === "boolean")
    return value ? t("common.yes") : t("common.no");
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
  if (typeof value["path"] === "string")
    return t("draft.eachOfValue", { value: value["path"] });
  return Object.entries(value)
    .map(([name, one]) => `${name}: ${describeAny(one)}`)
    .join(", ");
}

function describeRules(rules: readonly unknown[]): string {
  const descriptions = rules.map((rule) => {
    if (!isObject(rule)) return "";
    const { field, operator, value } = rule;
    if (typeof field !== "string") return t("draft.groupOfRules");
    return `${field} ${describeAny(operator)} ${describeAny(value)}`.trim();
  });
  return `${t("draft.countRules", { count: rules.length })}: ${descriptions.join("; ")}`;
}
