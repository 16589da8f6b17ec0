import type { Component } from "../../../../../../core/plugin-api/definition.js";
import { getCatalogEntry } from "../model/catalog.js";
import { isObject } from "../model/same-json.js";
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

const labels: Readonly<Record<string, string>> = {
  after: t("page.after"),
  align: t("content.align"),
  alt: t("draft.alternativeText"),
  angle: t("page.angle"),
  author: t("page.author"),
  background: t("style.background"),
  before: t("page.before"),
  class: t("common.styles"),
  collection: t("draft.repeatsFor"),
  collectionId: t("rules.itemName"),
  color: t("common.color"),
  colspan: t("content.columnSpan"),
  columns: t("draft.columnWidths"),
  components: t("common.contents"),
  condition: t("draft.condition"),
  currency: t("page.currency"),
  data: t("draft.chartData"),
  ecc: t("content.errorCorrection"),
  else: t("draft.shownOtherwise"),
  email: t("common.email"),
  empty: t("draft.shownForEmptyList"),
  fields: t("common.fields"),
  fileName: t("page.fileName"),
  filter: t("rules.filter"),
  firstFooter: t("edits.firstPageFooter"),
  firstHeader: t("edits.firstPageHeader"),
  fit: t("content.scaling"),
  fontSize: t("page.fontSize"),
  footer: t("common.footer"),
  fullWidth: t("content.fullWidth"),
  gap: t("content.gap"),
  groupBy: t("draft.groupedBy"),
  header: t("common.header"),
  height: t("common.height"),
  href: t("common.link"),
  items: t("content.links"),
  keepTogether: t("draft.keepTogether"),
  keywords: t("page.keywords"),
  landscape: t("common.landscape"),
  level: t("common.size"),
  limit: t("rules.atMost"),
  locale: t("page.language"),
  margin: t("common.margin"),
  offset: t("rules.skipFirst"),
  opacity: t("page.opacity"),
  options: t("content.choices"),
  ordered: t("content.numbers"),
  outline: t("page.bookmarks"),
  page: t("common.page"),
  path: t("draft.repeatsForEachItemOf"),
  pdf: "PDF",
  place: t("draft.place"),
  preheader: t("page.preheader"),
  required: t("content.required"),
  role: t("content.signerRole"),
  rowspan: t("content.rowSpan"),
  sample: t("fields.sampleData"),
  schema: t("common.data"),
  showText: t("content.textBelow"),
  size: t("common.size"),
  sort: t("rules.order"),
  src: t("common.picture"),
  style: t("common.style"),
  styles: t("common.styles"),
  subject: t("common.subject"),
  submitters: t("draft.signers"),
  symbology: t("common.type"),
  tagged: t("page.accessible"),
  text: t("common.text"),
  timeZone: t("page.timeZone"),
  title: t("page.title"),
  type: t("common.type"),
  value: t("common.value"),
  watermark: t("page.watermark"),
  width: t("common.width"),
};

/** The label of the property at a path: `["style", "font-size"]` is "Font size". */
export function describeSchemaProperty(path: readonly string[]): string {
  const [first = "", ...others] = path;
  const last = others.at(-1);
  if (last === undefined) return getLabel(first);
  if (first === "style" || first === "collection") return getLabel(last);
  return [first, ...others].map(getLabel).join(" › ");
}

/** CSS properties, and what only the JSON view edits, have no label but their own name. */
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
