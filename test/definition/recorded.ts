import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import {
  checkDefinition,
  compileDataChecker,
  checkSample,
  EINVOICE_PROFILES,
  definitionJsonSchema,
  findFieldUses,
  findPartialNames,
  type ProjectData,
  renameField,
  renderOptionsSchema,
  resolvePartials,
  type TemplateType,
} from "../../core/definition/index.js";
import type { Component } from "../../core/definition/schema/component-schema.js";
import type {
  DataCollection,
  Logic,
  Repeat,
  Rule,
} from "../../core/definition/schema/data-schema.js";
import { PlatenError, type Problem } from "../../core/plugin-api/index.js";
import {
  compileTemplate,
  evaluateSample,
  type MergedDocument,
  type MergeOptions,
  type Program,
  toPlainText,
} from "../../core/compiler/index.js";
import {
  type BarcodeDrawing,
  drawBarcode,
  drawQrcode,
  type QrcodeDrawing,
} from "../../core/compiler/drawing/index.js";
import { darkRules } from "../../core/compiler/email/dark-mode.js";
import { measureBarcode } from "../../core/definition/barcodes.js";
import { renderBothWays } from "../compiler/email/emails.js";
import { testRecorded } from "../support/recorded.js";
import { withOwnImages } from "../compiler/support.js";
import { parseStyleSheet } from "../../core/definition/markup/style-sheet.js";
import { fixDefinition } from "./guide/apply-fixes.js";
import { context, OPEN, printsEach } from "./expressions/vocabulary.js";
import {
  compileLogic,
  describeInvalidValue,
  rootScope,
  rootTypes,
} from "../../core/definition/expressions/index.js";
import { layOutPaper } from "../../core/definition/page/paper.js";
import { getTranslations } from "../../core/definition/locale.js";

const MERGE = { isTest: false, now: new Date("2026-03-14T09:26:53Z") };

interface Setting {
  in: string;
  count?: boolean;
  type?: TemplateType;
  data?: object;
  schema?: DataCollection[];
  /** The collections around an expression. */
  repeats?: Repeat[];
  locale?: string;
  currency?: string;
  timeZone?: string;
  filter?: "markdown" | "nl2br";
  output?: "html" | "attribute" | "url" | "css" | "plain";
  /** The rest of a definition. */
  with?: Pick<ProjectData, "locale" | "translations">;
  /** Whether expressions are in braces, and other text is literal. */
  literal?: boolean;
  partials?: Record<string, Component[]>;
  /** Also what a merged document has beside its body. */
  whole?: boolean;
  /** Whether the inputs are data for one definition, which is `with`. */
  each?: "data";
  /** The options of a merge. */
  options?: Partial<MergeOptions>;
  /** The options of the check of data. */
  check?: object;
}

/** Tests what the inputs of each file in a folder result in. */
export function testResults(folder: URL): void {
  testRecorded(folder, (kind): Setting => ({ in: kind }), evaluate);
}

function evaluate(line: string, input: string, setting: Setting): string[] {
  switch (setting.in) {
    case "expressions":
      return evaluateExpression(input, setting);
    case "html":
    case "mjml":
      return evaluateMarkup({ [setting.in]: input }, setting);
    case "css":
      return evaluateMarkup({ html: "<p>a</p>", css: input }, setting);
    case "markdown": {
      const { filter = "markdown" } = setting;
      return evaluateExpression(`text | ${filter}`, {
        ...setting,
        data: { text: input },
        output: "html",
      });
    }
    case "fixes": {
      const definition = toDefinition(JSON.parse(line));
      const whole = { schema: [], components: [], ...definition };
      const fixed = `fixed ${JSON.stringify(fixDefinition(whole))}`;
      return [...check(whole, setting).found, fixed];
    }
    case "forms": {
      const definition = toDefinition(JSON.parse(line));
      const whole = { schema: [], components: [], ...definition };
      const verdict = fitsSchema(whole) ? "fits" : "does not fit";
      return [`${verdict} the JSON Schema`, ...check(whole, setting).found];
    }
    case "definitions":
      return check(toDefinition(JSON.parse(line)), setting).found;
    case "data":
      return compileDataChecker(setting.schema ?? [])(
        JSON.parse(input),
        setting.check,
      ).map(
        ({ expected, found, ...problem }) =>
          `${writeProblem("", problem)} (${expected}, ${found})`,
      );
    case "rules":
      return evaluateRule(JSON.parse(input), setting);
    case "documents":
      return print(toDefinition(JSON.parse(line)), setting);
    case "merged":
    case "sheets":
      return merge(readInput(JSON.parse(line), setting));
    case "signers": {
      const connection = JSON.parse(line);
      const schema = [{ id: "root", fields: [], connection }];
      const { definition, found } = check({ schema }, setting);
      if (!definition) return found;
      const program = compileTemplate(definition, "document");
      return unlessRefused(() => [
        JSON.stringify(program.addressees(setting.data ?? {}, MERGE)),
      ]);
    }
    case "facts":
      return describeSample(readInput(JSON.parse(line), setting));
    case "dark":
      return [`= ${darkRules(input).trimEnd()}`];
    case "plain":
      return [toPlainText(input)];
    case "codes":
      return drawCode(JSON.parse(input));
    case "pages": {
      const { setup, options, bands } = JSON.parse(line);
      return unlessRefused(() => [
        JSON.stringify(layOutPaper(setup, options, bands)),
      ]);
    }
    case "options": {
      const { error } = renderOptionsSchema.safeParse(JSON.parse(line));
      return (error?.issues ?? []).map(
        ({ path, message }) => `${path.join(".")}: ${message}`,
      );
    }
    case "samples": {
      const definition = { schema: setting.schema, ...setting.with };
      const found = checkSample(definition, JSON.parse(line));
      return found.map(
        ({ keys, code, message, places }) =>
          `${code} ${keys.join(".")}: ${message} ${JSON.stringify(places)}`,
      );
    }
    case "schema":
      return [JSON.stringify(getSchemaPart(input))];
    case "names":
      return rename(input, setting);
    default:
      throw new Error(setting.in);
  }
}

/** A text, one component, a list of components, or parts of a definition. */
function toDefinition(value: unknown): object {
  if (typeof value === "string")
    return { components: [{ type: "text", text: value }] };
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { components: value };
  return "type" in value ? { components: [value] } : value;
}

/** The problems of markup; without any, what it prints, or what a style sheet is read as. */
function evaluateMarkup(
  markup: Partial<Record<string, string>>,
  setting: Setting,
): string[] {
  const type = setting.in === "mjml" ? "email" : "document";
  const components = [{ type: "markup", ...markup }];
  const { css } = markup;
  if (css === undefined) return print({ components }, { type, ...setting });
  const { definition, found } = check({ components }, setting);
  if (!definition) return found;
  const { problems: _none, ...sheet } = parseStyleSheet(css);
  const parts = Object.entries(sheet)
    .map(([key, value]) => `${key} ${JSON.stringify(value)}`)
    .filter((part) => !/ (?:null|\[\]|\{\})$/.test(part));
  return [...parts, ...found];
}

/** The problems of a definition; without any, its body with the data. */
function print(written: object, setting: Setting): string[] {
  const { type = "document", data = {}, whole = false } = setting;
  const { definition, found } = check(written, setting);
  if (!definition) return found;
  const program = compileTemplate(definition, type);
  if (type === "email") {
    const { mjml } = program.mjml(data, MERGE);
    const [, body] = /<mj-body[^>]*>([^]*)<\/mj-body>/.exec(mjml) ?? [];
    return [`= ${body}`, ...found];
  }
  return unlessRefused(() => {
    const { html, ...rest } = program.merge(data, MERGE);
    const [, body] = /<main>([^]*)<\/main>/.exec(html) ?? [];
    return [
      `= ${body}`,
      ...Object.entries(rest.report).flatMap(([name, list]) =>
        Array.isArray(list) && list.length > 0
          ? `${name} ${JSON.stringify(list)}`
          : [],
      ),
      ...(whole ? [JSON.stringify(rest)] : []),
      ...found,
    ];
  });
}

/** What is merged: the definition of the input with the data of its section, or the other way round. */
function readInput(value: unknown, setting: Setting): Setting {
  if (setting.each === "data") return { ...setting, data: Object(value) };
  return { ...setting, with: { ...setting.with, ...toDefinition(value) } };
}

/** The problems of a definition; without any, what it becomes with the data. */
function merge(setting: Setting): string[] {
  const { type = "document", data = {}, options } = setting;
  const { definition, found } = check({}, setting);
  if (!definition) return found;
  const { resolved, blocks } = resolveBlocks(definition, setting);
  const program = compileTemplate(resolved, type);
  const all = { ...MERGE, ...options };
  return unlessRefused(() => [
    ...describeMerged(program.merge(data, all), setting),
    ...(type === "email" ? describeEmail(program, data, all) : []),
    ...blocks,
    ...found,
  ]);
}

/** The definition with the reusable blocks of its section in it, and the names of those that it uses. */
function resolveBlocks(definition: ProjectData, { partials }: Setting) {
  if (!partials) return { resolved: definition, blocks: [] };
  const names = Object.keys(partials);
  return {
    resolved: resolvePartials(definition, { names, components: partials }),
    blocks: [`blocks ${findPartialNames(definition).join(" ")}`],
  };
}

/** The body of a document, and what else is not that of one with a single text; of a sheet, also the html around it. */
function describeMerged(merged: MergedDocument, setting: Setting): string[] {
  const single = [{ type: "text", text: "a" }] as const;
  const plain = compileTemplate(
    { schema: [], components: [...single], page: { footer: [...single] } },
    setting.type ?? "document",
  ).merge({}, MERGE);
  const { html, report, overlay, ...rest } = withOwnImages(merged);
  const [, body] = /<main>([^]*)<\/main>/.exec(html) ?? [];
  const lines = setting.in === "sheets" ? html.split("\n") : [];
  const plainLines = new Set([
    ...plain.html.split("\n"),
    `<main>${body}</main>`,
  ]);
  const strips = overlay?.strips ?? null;
  const parts: [string, unknown][] = Object.entries({
    ...rest,
    ...report,
    overlay: strips,
  });
  const plainParts: Record<string, unknown> = { ...plain, ...plain.report };
  return [
    ...(body === undefined ? [] : [`= ${body}`]),
    ...lines.filter((line) => !plainLines.has(line)).map((line) => `+ ${line}`),
    ...parts
      .map(([name, value]) => [name, toJson(value), toJson(plainParts[name])])
      .filter(([, value, plainValue]) => value !== plainValue)
      .map(([name, value]) => `${name} ${value}`),
  ];
}

/** The preheader and the body of the MJML, and whether its html is that of the record merged into compiled html. */
function describeEmail(program: Program, data: object, options: MergeOptions) {
  const { mjml } = program.mjml(data, options);
  const [preheader = ""] = /<mj-preview>.*<\/mj-preview>/.exec(mjml) ?? [];
  const [, body] = /<mj-body[^>]*>([^]*)<\/mj-body>/.exec(mjml) ?? [];
  const { merged, compiled } = renderBothWays(program, data, options);
  const isSame =
    merged.page === compiled.page &&
    compiled.styles.every((line) => merged.styles.includes(line));
  return [
    `= ${preheader}${body}`,
    ...(isSame ? [] : ["MJML has another html"]),
  ];
}

/** The code, or why it is refused. */
function drawCode({ ecc, ...code }: BarcodeDrawing & Partial<QrcodeDrawing>) {
  const checked = unlessRefused(() => {
    if (!ecc) measureBarcode(code.value, code.symbology);
    return [];
  });
  const drawn = unlessRefused(() => [
    ecc ? drawQrcode({ value: code.value, ecc }) : drawBarcode(code),
  ]);
  return [
    ...drawn,
    ...checked.map((line) => line.replace("throws", "checked")),
  ];
}

/** All that the editor shows of a sample. */
function describeSample(setting: Setting): string[] {
  const definition = { schema: [], components: [], ...setting.with };
  const { resolved } = resolveBlocks(definition, setting);
  const facts = evaluateSample(resolved, setting.data ?? {}, MERGE.now);
  return Object.entries(facts)
    .map(([name, value]) => `${name} ${toJson(value)}`)
    .filter((line) => !line.endsWith(" {}"));
}

function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part instanceof Map ? Object.fromEntries(part) : part,
  );
}

function unlessRefused(run: () => string[]): string[] {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    return [
      `throws ${error.message}`,
      ...error.problems.map((one) => writeProblem("", one)),
    ];
  }
}

/** The definition, null if it is refused, and all that is found in it. */
function check(
  definition: object,
  { type = "document", schema = [], partials, with: more }: Setting,
): { definition: ProjectData | null; found: string[] } {
  const whole = { schema, components: [], ...more, ...definition };
  const {
    definition: accepted,
    problems,
    warnings,
  } = checkDefinition(
    whole,
    type,
    partials && { names: Object.keys(partials), components: partials },
  );
  const found = [
    ...problems.map((one) => writeProblem("", one)),
    ...warnings.map((one) => writeProblem("warning ", one)),
  ];
  return { definition: accepted, found };
}

function evaluateExpression(input: string, setting: Setting): string[] {
  const {
    data = {},
    repeats = [],
    schema = [{ id: "root", fields: [] }],
    output = "plain",
    ...rest
  } = setting;
  const isWhole = setting.literal ?? input.includes("{{");
  const text = isWhole ? input : `{{ ${input} }}`;
  let component: object = { type: "text", text };
  for (const collection of repeats.toReversed())
    component = { type: "container", collection, components: [component] };
  const { found: problems } = check(
    { components: [component] },
    { ...setting, schema },
  );
  const found: string[] = [];
  const onMissing = (path: string) => found.push(`missing ${path}`);
  const onInvalid = (...values: Parameters<typeof describeInvalidValue>) => {
    const { code, message, hint = "" } = describeInvalidValue(...values);
    found.push(`invalid ${code} ${message} ${hint}`.trimEnd());
  };
  const translations = getTranslations(setting.with ?? {});
  const onUntranslated = (key: string, _where: string, used: string | null) =>
    found.push(`untranslated ${key} ${used}`);
  const findNumber = (use: object) => {
    found.push(`number ${JSON.stringify(use)}`);
    return null;
  };
  const reports = { onMissing, onInvalid, onUntranslated, findNumber };
  try {
    const printed = printsEach(repeats, text, data, {
      schema,
      output,
      translations,
      ...reports,
      ...rest,
    });
    const inText = problems.filter((one) => !one.includes(" $.translations"));
    return [
      ...printed.map((one) => (one === "" ? "=" : `= ${one}`)),
      ...found,
      ...inText,
    ];
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    return problems.length > 0 ? problems : [`throws ${error.message}`];
  }
}

function evaluateRule(
  rule: Rule | Logic,
  { data = {}, schema = OPEN }: Setting,
): string[] {
  const found: string[] = [];
  const onInvalid = (...values: Parameters<typeof describeInvalidValue>) =>
    found.push(`invalid ${describeInvalidValue(...values).message}`);
  const onMissing = (path: string) => found.push(`missing ${path}`);
  const logic = { combinator: "and" as const, rules: [rule] };
  const component = { type: "text", text: "", condition: logic };
  const problems =
    schema === OPEN
      ? []
      : check({ components: [component] }, { in: "rules", schema }).found;
  const holds = compileLogic(logic, "$", rootTypes(schema));
  return [
    `= ${holds(rootScope(data, context({ onInvalid, onMissing })))}`,
    ...found,
    ...problems,
  ];
}

let validate: ValidateFunction | undefined;

/** Whether the published JSON Schema accepts a definition. */
export function fitsSchema(definition: object): boolean {
  const ajv = new Ajv2020({ strict: true, strictRequired: false });
  validate ??= ajv.compile(definitionJsonSchema());
  return validate(structuredClone(definition));
}

/** A part of the JSON Schema by its name, the names of all, or the profiles of e-invoices. */
function getSchemaPart(name: string): unknown {
  if (name === "profiles") return EINVOICE_PROFILES;
  const { $defs, properties, ...rest } = definitionJsonSchema();
  const parts = { ...$defs, ...properties };
  return name === "all" ? [rest, Object.keys(parts)] : parts[name];
}

function rename(input: string, setting: Setting): string[] {
  const [from = "", to] = input.split(/ >\s*/);
  const [collectionId = "", name = ""] = from.split(".");
  const definition = { schema: setting.schema, ...setting.with };
  const field = { collectionId, name };
  if (to === undefined)
    return findFieldUses(definition, field).map((path) => path.join("."));
  return unlessRefused(() =>
    renameField(definition, field, to).map(
      ({ path, value }) => `${path.join(".")}: ${JSON.stringify(value)}`,
    ),
  );
}

function writeProblem(
  kind: string,
  { path, code, message, hint = "", line, column, expression }: Problem,
): string {
  const place = line === undefined ? (column ?? "") : `${line}:${column}`;
  const at = [path, place].join(" ").trim();
  const source = expression === undefined ? "" : ` In: ${expression}`;
  return `${kind}${code} ${at}: ${message} ${hint}`.trimEnd() + source;
}
