import {
  checkDefinition,
  compileDataChecker,
  checkSample,
  EINVOICE_PROFILES,
  definitionJsonSchema,
  findFieldUses,
  type ProjectData,
  renameField,
  renderOptionsSchema,
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
import { compileTemplate } from "../../core/compiler/index.js";
import { parseStyleSheet } from "../../core/definition/markup/style-sheet.js";
import { context, OPEN, printsEach } from "./expressions/vocabulary.js";
import {
  compileLogic,
  describeInvalidValue,
  rootScope,
  rootTypes,
} from "../../core/definition/expressions/index.js";
import { layOutPaper } from "../../core/definition/page/paper.js";
import { getTranslations } from "../../core/definition/locale.js";

// Each file of recorded/ lists inputs of one kind with everything that they result in:
//
//     # A section, which is one test
//     @ {"data": {"a": 1}}                 its settings
//     root.a + 1                           an input; ⏎ is a line break, ⟦a×3⟧ is aaa
//         = 2                              its results, indented; \u{a0} is a character that cannot be seen

const MERGE = { isTest: false, now: new Date("2026-03-14T09:26:53Z") };

interface Setting {
  in: string;
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
  /** Whether only the last result is recorded, and how many there are. */
  count?: boolean;
  /** The options of the check of data. */
  check?: object;
}

export interface Section {
  title: string;
  /** Lines before the first input, and settings. */
  head: string[];
  setting: Setting;
  inputs: string[];
}

/** @param kind what the inputs are, unless a section says otherwise */
export function readSections(text: string, kind: string): Section[] {
  const sections: Section[] = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("# "))
      sections.push({
        title: line.slice(2),
        head: [line],
        setting: { in: kind },
        inputs: [],
      });
    const section = sections.at(-1);
    if (!section || line === "" || /^(?: {4}|# )/.test(line)) continue;
    if (line.startsWith("@ ")) {
      section.head.push(line);
      Object.assign(section.setting, JSON.parse(line.slice(2)));
    } else section.inputs.push(line);
  }
  return sections;
}

export function writeSection({ head, setting, inputs }: Section): string {
  const cases = inputs.flatMap((input) => [input, ...results(input, setting)]);
  return [...head, ...cases].join("\n") + "\n";
}

/** What an input results in, one line each. */
export function results(line: string, setting: Setting): string[] {
  const whole = line.replaceAll(
    /⟦(.*?)×(\d+)⟧/g,
    (_, part: string, count: string) => part.repeat(Number(count)),
  );
  const all = evaluate(whole, whole.replaceAll("⏎", "\n"), setting);
  const lines = setting.count ? [`${all.length} lines`, ...all.slice(-1)] : all;
  return lines.map((one) => `    ${showInvisible(shorten(one))}`);
}

function shorten(text: string): string {
  return text.length <= 4000
    ? text
    : `${text.slice(0, 100)} … ${text.slice(-100)} (${text.length} characters)`;
}

/** Control characters, special spaces and marks of direction, and spaces at the end. */
function showInvisible(text: string): string {
  return text
    .replaceAll("\n", "⏎")
    .replaceAll(
      /[\p{Cc}\p{Cs}\u00a0\u00ad\u061c\u200b\u200e\u200f\u202f]| $/gu,
      (one) => `\\u{${one.charCodeAt(0).toString(16)}}`,
    );
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
      return evaluateRule(JSON.parse(input), setting.data ?? {});
    case "documents":
      return print(toDefinition(JSON.parse(line)), setting);
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

/** One component, a list of components, or parts of a definition. */
function toDefinition(value: unknown): object {
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

function unlessRefused(run: () => string[]): string[] {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    return [`throws ${error.message}`];
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

function evaluateRule(rule: Rule | Logic, data: object): string[] {
  const found: string[] = [];
  const onInvalid = (...values: Parameters<typeof describeInvalidValue>) =>
    found.push(`invalid ${describeInvalidValue(...values).message}`);
  const onMissing = (path: string) => found.push(`missing ${path}`);
  const logic = { combinator: "and" as const, rules: [rule] };
  const holds = compileLogic(logic, "$", rootTypes(OPEN));
  return [
    `= ${holds(rootScope(data, context({ onInvalid, onMissing })))}`,
    ...found,
  ];
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
