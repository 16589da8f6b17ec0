import type { Component } from "../../../../core/plugin-api/definition.js";
import { TERM_NAMES } from "../einvoice/term-names.js";
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
  $schema: t("property.jsonSchema"),
  ...TERM_NAMES,
  einvoice: t("einvoice.title"),
  map: t("einvoice.map"),
  profile: t("einvoice.profile"),
  after: t("page.after"),
  aggregate: t("property.aggregate"),
  align: t("content.align"),
  allowNumericStrings: t("property.allowNumericStrings"),
  alt: t("common.description"),
  angle: t("page.angle"),
  asset: t("property.asset"),
  author: t("page.author"),
  background: t("style.background"),
  darkMode: t("page.darkMode"),
  "background-color": t("style.background"),
  baseId: t("common.base"),
  before: t("page.before"),
  body: t("property.body"),
  border: t("style.border"),
  "border-radius": t("style.cornerRadius"),
  bottom: t("common.bottom"),
  br: t("property.br"),
  "break-before": t("style.startOnNewPage"),
  chart: t("components.chart"),
  class: t("common.styles"),
  collection: t("property.collection"),
  collectionId: t("rules.itemName"),
  color: t("common.color"),
  colspan: t("content.columnSpan"),
  columns: t("components.columns"),
  combinator: t("rules.match"),
  components: t("common.contents"),
  computed: t("rules.formula"),
  condition: t("common.condition"),
  conformance: t("page.archive"),
  connection: t("common.connection"),
  connectionId: t("common.connection"),
  currency: t("page.currency"),
  data: t("common.data"),
  direction: t("rules.direction"),
  ecc: t("content.errorCorrection"),
  else: t("property.else"),
  email: t("common.email"),
  empty: t("property.empty"),
  entries: t("property.entries"),
  esignConnection: t("property.esignConnection"),
  expiresInDays: t("page.daysToSign"),
  field: t("common.field"),
  fields: t("common.fields"),
  fileName: t("page.fileName"),
  filter: t("rules.filter"),
  firstFooter: t("edits.firstPageFooter"),
  firstHeader: t("edits.firstPageHeader"),
  fit: t("content.scaling"),
  "font-family": t("style.font"),
  "font-size": t("page.fontSize"),
  "font-style": t("property.fontStyle"),
  "font-weight": t("style.weight"),
  fontSize: t("page.fontSize"),
  footer: t("common.footer"),
  format: t("common.format"),
  fullWidth: t("style.fullWidth"),
  gap: t("content.gap"),
  groupBy: t("property.groupBy"),
  header: t("common.header"),
  height: t("common.height"),
  href: t("common.link"),
  html: "HTML",
  css: "CSS",
  mjml: "MJML",
  id: t("common.id"),
  image: t("common.image"),
  items: t("content.links"),
  keepTogether: t("style.keepTogether"),
  keywords: t("page.keywords"),
  label: t("property.label"),
  landscape: t("common.landscape"),
  left: t("common.left"),
  level: t("common.size"),
  limit: t("rules.atMost"),
  "line-height": t("style.lineHeight"),
  link: t("common.link"),
  locale: t("common.language"),
  margin: t("common.margin"),
  marks: t("text.textStyle"),
  "max-width": t("property.maxWidth"),
  message: t("common.message"),
  "min-height": t("page.minimumHeight"),
  name: t("common.name"),
  natural: t("property.natural"),
  network: t("property.network"),
  not: t("property.not"),
  offset: t("rules.skipFirst"),
  opacity: t("property.opacity"),
  operator: t("property.operator"),
  options: t("content.choices"),
  order: t("rules.order"),
  ordered: t("content.numbers"),
  outline: t("page.bookmarks"),
  padding: t("style.padding"),
  page: t("common.page"),
  pageNumber: t("components.pageNumber"),
  path: t("property.path"),
  pdf: "PDF",
  place: t("property.place"),
  platform: t("property.platform"),
  preheader: t("components.preheader"),
  redirectUrl: t("page.pageAfterSigning"),
  required: t("content.required"),
  right: t("common.right"),
  role: t("common.role"),
  rowspan: t("content.rowSpan"),
  rules: t("common.rules"),
  sample: t("fields.sampleData"),
  samples: t("fields.moreSamples"),
  schema: t("common.data"),
  schemaVersion: t("property.schemaVersion"),
  series: t("common.values"),
  showText: t("content.textBelow"),
  sign: t("page.signPdf"),
  size: t("common.size"),
  sort: t("rules.order"),
  source: t("property.source"),
  src: t("common.image"),
  style: t("common.style"),
  styles: t("common.styles"),
  subject: t("common.subject"),
  submitter: t("content.signerRole"),
  submitters: t("property.submitters"),
  symbology: t("common.type"),
  tableId: t("common.table"),
  tagged: t("page.accessible"),
  target: t("property.target"),
  text: t("common.text"),
  "text-align": t("content.align"),
  "text-decoration": t("property.textDecoration"),
  translations: t("property.translations"),
  timeZone: t("page.timeZone"),
  title: t("page.title"),
  top: t("common.top"),
  type: t("common.type"),
  value: t("common.value"),
  valueSource: t("property.valueSource"),
  values: t("common.values"),
  "vertical-align": t("property.verticalAlign"),
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

/** Extensions, named styles and less common CSS properties are shown as they are written. */
function getLabel(name: string): string {
  return labels[name] ?? name;
}

const maxValueLength = 400;

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
    (piece) =>
      typeof piece === "string" ||
      (isObject(piece) &&
        ("text" in piece || "br" in piece || "pageNumber" in piece)),
  );
  if (!isText) return list.map(describeAny).join(", ");
  return list
    .map((piece) => {
      if (typeof piece === "string") return piece;
      if (!isObject(piece)) return "";
      return typeof piece["text"] === "string" ? piece["text"] : " ";
    })
    .join("");
}

function describeObject(value: Readonly<Record<string, unknown>>): string {
  if (Array.isArray(value["rules"])) return describeRules(value["rules"]);
  if (typeof value["path"] === "string")
    return t("draft.eachOfValue", { value: value["path"] });
  return Object.entries(value)
    .map(([name, child]) => `${name}: ${describeAny(child)}`)
    .join(", ");
}

function describeRules(rules: readonly unknown[]): string {
  const descriptions = rules.map((rule) => {
    if (!isObject(rule)) return "";
    const { field, operator, value } = rule;
    if (typeof field !== "string") return t("draft.groupOfRules");
    return `${field} ${describeAny(operator)} ${describeAny(value)}`.trim();
  });
  return t("draft.countRules", {
    count: rules.length,
    rules: descriptions.join("; "),
  });
}
