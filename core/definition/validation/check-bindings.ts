import { checkBudget } from "../../lib/time-budget.js";
import type { Problem } from "../../plugin-api/index.js";
import {
  checkLogic,
  checkRepeat,
  checkTemplate,
  rootTypes,
  type ScopeTypes,
  checkExpression,
  type BindingReport,
} from "../expressions/index.js";
import { getSharedLanguage } from "../locale.js";
import { checkMarkup } from "../markup/check-markup.js";
import {
  chartRepeat,
  type ComponentOf,
  type Component,
} from "../schema/component-schema.js";
import {
  repeatSchema,
  type Connection,
  type DefinedSubmitter,
  listSubmitters,
  submitterRepeat,
} from "../schema/data-schema.js";
import type { ProjectData } from "../schema/definition-schema.js";
import { listEntries, parseEach } from "../schema/einvoice-schema.js";
import type { Style, Inline, Mark, Text } from "../schema/text-schema.js";
import type { Tree, TreeNode } from "./component-tree.js";
import { reportAt, type Findings, pathStep, untilTooMany } from "./problems.js";

/** Second pass: checks every expression, path and rule of the components in its scope. */
export function checkBindings(
  tree: Tree,
  root: ScopeTypes,
  findings: Findings,
): void {
  for (const node of tree.roots) checkNode(node, root, findings);
}

function checkNode(
  node: TreeNode,
  outer: ScopeTypes,
  findings: Findings,
): void {
  if (node.isValid) checkCondition(node, outer, findings);
  const inner = scopeInside(node, outer, findings);
  if (node.isValid && inner) checkOwn(node, inner, findings);
  for (const child of node.branches) checkNode(child, outer, findings);
  // Each block of markup is checked in the scope of the place that prints it.
  if (inner && node.component.type !== "markup")
    for (const child of node.children) checkNode(child, inner, findings);
}

function checkCondition(
  { component, path }: TreeNode,
  types: ScopeTypes,
  findings: Findings,
): void {
  if (component.condition)
    checkLogic(
      component.condition,
      types,
      reportAt(findings, `${path}.condition`),
    );
}

/** Null when a malformed collection makes the names inside unknown. */
function scopeInside(
  { component, path, isValid }: TreeNode,
  outer: ScopeTypes,
  findings: Findings,
): ScopeTypes | null {
  const { collection } = component;
  if (collection === undefined) return outer;
  if (!isValid && !repeatSchema.strip().safeParse(collection).success)
    return null;
  return checkRepeat(
    collection,
    outer,
    reportAt(findings, `${path}.collection`),
  );
}

function checkOwn(
  { component, path, isInHeader, children }: TreeNode,
  types: ScopeTypes,
  findings: Findings,
): void {
  for (const { suffix, source } of templateStrings(component)) {
    checkBudget();
    checkTemplate(source, types, reportAt(findings, path + suffix));
  }
  if (component.type === "chart") checkChart(component, path, types, findings);
  if (component.type === "markup")
    checkMarkup(
      component,
      path,
      types,
      isInHeader,
      findings,
      (index, inner) => {
        const child = children[index];
        if (child) checkNode(child, inner, findings);
      },
    );
}

/** The problems of a text with expressions over the root that is not part of a definition. @param path of the text */
export function checkRootText(
  source: string,
  path: string,
  definition: ProjectData,
): Problem[] {
  const findings: Findings = { problems: [], warnings: [] };
  const types = rootTypes(definition.schema, getSharedLanguage(definition));
  untilTooMany(() => checkTemplate(source, types, reportAt(findings, path)));
  return findings.problems;
}

/** Second pass: checks the template strings of the document itself, which only see the root. */
export function checkDocument(
  definition: ProjectData,
  root: ScopeTypes,
  findings: Findings,
): void {
  for (const { suffix, source } of documentStrings(definition))
    checkTemplate(source, root, reportAt(findings, `$${suffix}`));
  const connection = definition.schema[0]?.connection;
  if (connection) checkConnection(connection, root, findings);
  if (definition.einvoice)
    checkEinvoiceMap(
      definition.einvoice.map,
      root,
      reportAt(findings, "$.einvoice.map"),
    );
}

/** Second pass: checks the expressions of an e-invoice, and those of its groups in the scope of their list. */
function checkEinvoiceMap(
  map: Readonly<Record<string, unknown>>,
  types: ScopeTypes,
  report: BindingReport,
): void {
  for (const [name, value] of Object.entries(map)) {
    if (name === "each") continue;
    if (typeof value === "string")
      checkExpression(value, types, report.at(pathStep(name)));
    else checkEinvoiceGroup(value, name, types, report);
  }
}

function checkEinvoiceGroup(
  group: unknown,
  name: string,
  outer: ScopeTypes,
  report: BindingReport,
): void {
  const entries = typeof group === "object" && group !== null ? group : {};
  const written: { entry: object; path: string }[] = listEntries(
    entries,
    pathStep(name),
  );
  for (const { entry, path } of written) {
    const at = report.at(path);
    const types =
      "each" in entry && typeof entry.each === "string"
        ? checkRepeat(parseEach(entry.each), outer, {
            ...at,
            at: () => at.at(".each"),
          })
        : outer;
    checkEinvoiceMap({ ...entry }, types, at);
  }
}

function documentStrings(definition: ProjectData): TemplateString[] {
  const { email, styles = {} } = definition;
  return [
    ...optional(definition.locale, ".locale"),
    ...optional(definition.fileName, ".fileName"),
    ...pageStrings(definition),
    ...pdfStrings(definition),
    ...optional(email?.subject, ".email.subject"),
    ...optional(email?.preheader, ".email.preheader"),
    ...Object.entries(styles).flatMap(([name, style]) =>
      styleStrings(style, `.styles${pathStep(name)}`),
    ),
  ];
}

function pageStrings({ page }: ProjectData): TemplateString[] {
  const { background, watermark } = page ?? {};
  return [
    ...(typeof background === "object"
      ? optional(background.image, ".page.background.image")
      : []),
    ...(typeof watermark === "object"
      ? [
          ...optional(watermark.text, ".page.watermark.text"),
          ...optional(watermark.image, ".page.watermark.image"),
        ]
      : optional(watermark, ".page.watermark")),
  ];
}

function pdfStrings({ pdf = {} }: ProjectData): TemplateString[] {
  return [
    ...optional(pdf.title, ".pdf.title"),
    ...optional(pdf.author, ".pdf.author"),
    ...optional(pdf.subject, ".pdf.subject"),
    ...(pdf.keywords ?? []).flatMap((word, at) =>
      optional(word, `.pdf.keywords[${at}]`),
    ),
  ];
}

/** A chart repeats over its data like a collection; label and series are fields of one element. */
function checkChart(
  chart: ComponentOf<"chart">,
  path: string,
  types: ScopeTypes,
  findings: Findings,
): void {
  const report = reportAt(findings, path);
  const repeat = chartRepeat(chart);
  const inside = checkRepeat(
    { ...repeat, groupBy: undefined },
    types,
    forData(report),
  );
  checkExpression(chart.label, inside, report.at(".label"));
  chart.series.forEach(({ field }, index) =>
    checkExpression(field, inside, report.at(`.series[${index}].field`)),
  );
}

/** Reports problems of the path at the `data` property of the chart. */
function forData(report: BindingReport): BindingReport {
  return {
    ...report,
    at: (suffix) => report.at(suffix === ".path" ? ".data" : suffix),
  };
}

const PATH = "$.schema[0].connection";

/** Second pass: checks the templates of signers and messages of signature requests. */
function checkConnection(
  { message, redirectUrl, submitters }: Connection,
  root: ScopeTypes,
  findings: Findings,
): void {
  const strings = [
    ...optional(message?.subject, ".message.subject"),
    ...optional(message?.body, ".message.body"),
    ...optional(redirectUrl, ".redirectUrl"),
  ];
  checkStrings(strings, root, findings);
  for (const { submitter, at } of listSubmitters(submitters)) {
    const types = checkSubmitterCollection(submitter, at, root, findings);
    checkStrings(submitterStrings(submitter, at), types, findings);
  }
}

/** @returns what the submitter's templates refer to. */
function checkSubmitterCollection(
  { collection }: DefinedSubmitter,
  at: string,
  root: ScopeTypes,
  findings: Findings,
): ScopeTypes {
  if (collection === undefined) return root;
  const report = reportAt(findings, `${PATH}${at}`);
  return checkRepeat(submitterRepeat(collection), root, {
    ...report,
    at: (suffix) => report.at(suffix === ".path" ? ".collection" : suffix),
  });
}

function submitterStrings(
  { role, email, name, order, values }: DefinedSubmitter,
  at: string,
): TemplateString[] {
  return [
    ...optional(role, `${at}.role`),
    ...optional(email, `${at}.email`),
    ...optional(name, `${at}.name`),
    ...(typeof order === "string" ? optional(order, `${at}.order`) : []),
    ...styleStrings(values, `${at}.values`),
  ];
}

function checkStrings(
  strings: readonly TemplateString[],
  types: ScopeTypes,
  findings: Findings,
): void {
  for (const { suffix, source } of strings)
    checkTemplate(source, types, reportAt(findings, PATH + suffix));
}

/** A template string of a definition, with its path relative to its owner. */
export interface TemplateString {
  suffix: string;
  source: string;
}

/** Lists the template strings of a component, without those of its children. */
export function templateStrings(component: Component): TemplateString[] {
  return [...styleStrings(component.style, ".style"), ...ownStrings(component)];
}

/** Lists the template strings of a component without those of its style. */
export function ownStrings(component: Component): TemplateString[] {
  switch (component.type) {
    case "heading":
    case "text":
    case "list-item":
    case "table-cell":
    case "preheader":
      return textStrings(component.text, ".text");
    case "button":
      return [
        ...textStrings(component.text, ".text"),
        toTemplateString(component.href, ".href"),
      ];
    case "markdown":
    case "html":
    case "qrcode":
    case "barcode":
      return [toTemplateString(component.value, ".value")];
    case "image":
      return (["src", "alt", "href"] as const).flatMap((name) =>
        optional(component[name], `.${name}`),
      );
    case "sign-field":
      return [
        toTemplateString(component.name, ".name"),
        toTemplateString(component.submitter, ".submitter"),
      ];
    case "hero":
      return [toTemplateString(component.background, ".background")];
    case "social":
      return component.items.map(({ href }, index) =>
        toTemplateString(href, `.items[${index}].href`),
      );
    default:
      return [];
  }
}

/** Skips values of other types, which the first pass reports. */
export function styleStrings(
  style: Style | undefined,
  suffix: string,
): TemplateString[] {
  return Object.entries(style ?? {}).flatMap(([name, source]) =>
    typeof source === "string"
      ? [toTemplateString(source, suffix + pathStep(name))]
      : [],
  );
}

function textStrings(text: Text | undefined, suffix: string): TemplateString[] {
  if (text === undefined) return [];
  if (typeof text === "string") return [toTemplateString(text, suffix)];
  return text.flatMap((inline, index) =>
    inlineStrings(inline, `${suffix}[${index}]`),
  );
}

function inlineStrings(inline: Inline, suffix: string): TemplateString[] {
  if (typeof inline === "string") return [toTemplateString(inline, suffix)];
  if (!("text" in inline)) return [];
  const marks = (inline.marks ?? []).flatMap((mark, index) =>
    markStrings(mark, `${suffix}.marks[${index}]`),
  );
  return [toTemplateString(inline.text, `${suffix}.text`), ...marks];
}

function markStrings(mark: Mark, suffix: string): TemplateString[] {
  if (typeof mark === "string") return [];
  return "link" in mark
    ? [toTemplateString(mark.link, `${suffix}.link`)]
    : styleStrings(mark.style, `${suffix}.style`);
}

function toTemplateString(source: string, suffix: string): TemplateString {
  return { suffix, source };
}

function optional(
  source: string | undefined,
  suffix: string,
): TemplateString[] {
  return source === undefined ? [] : [toTemplateString(source, suffix)];
}
