import { z } from "zod";
import { type Problem, findNearestWord } from "../../plugin-api/index.js";
import {
  COMPONENT_TYPES,
  type ComponentType,
} from "../schema/component-schema.js";
import type { FieldType } from "../schema/data-schema.js";
import { projectDataSchema } from "../schema/definition-schema.js";
import {
  STYLE_PROPERTIES,
  type StyleProperty,
} from "../schema/known-values.js";
import { jsonPath, valueAt, suggestion } from "./problems.js";

/** A structural problem, with its path as keys so that the second pass can skip the malformed part. */
export interface ShapeProblem extends Problem {
  keys: readonly PropertyKey[];
}

/** First pass: checks that every node has the properties of its type, with values of the right kind. */
export function checkShape(input: unknown): ShapeProblem[] {
  const result = projectDataSchema.safeParse(input, { error: tellKnownKeys });
  if (result.success) return [];
  const problems: ShapeProblem[] = [];
  for (const issue of flattenIssues(result.error.issues)) {
    const described =
      problems.length < MAX_DESCRIBED
        ? toProblems(issue, input)
        : listUndescribed(issue, input);
    for (const problem of described) problems.push(problem);
  }
  return problems;
}

/** More than are listed. The others are counted, and their parts skipped. */
const MAX_DESCRIBED = 1000;

function listUndescribed(issue: Issue, input: unknown): ShapeProblem[] {
  if (issue.code === "unrecognized_keys")
    return unknownKeyNames(issue, input).map(() => ({
      ...UNDESCRIBED,
      code: "unknown_property",
      keys: issue.path,
    }));
  return [{ ...UNDESCRIBED, keys: issue.path }];
}

const UNDESCRIBED = { path: "$", code: "wrong_value", message: "" };

/** Passes the known property names of a schema on, as the message of the issue. */
function tellKnownKeys(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== "unrecognized_keys") return undefined;
  return knownKeys(issue.inst).join(" ");
}

function knownKeys(schema: unknown): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  if (schema instanceof z.ZodRecord && schema.keyType instanceof z.ZodEnum)
    return schema.keyType.options.map(String);
  return [];
}

function toProblems(issue: Issue, input: unknown): ShapeProblem[] {
  if (issue.code === "unrecognized_keys") return unknownKeys(issue, input);
  const value = valueAt(input, issue.path);
  const finding =
    unknownType(issue, value) ??
    newerVersion(issue, value) ??
    textForComponents(issue, value) ??
    describeIssue(issue, value);
  return [{ path: jsonPath(issue.path), keys: issue.path, ...finding }];
}

function unknownType(issue: Issue, value: unknown): Finding | null {
  if (issue.code !== "invalid_union" || issue.discriminator === undefined)
    return null;
  if (typeof value !== "string")
    return {
      code: "missing_property",
      message: `The property "${issue.discriminator}" is missing.`,
      hint: "Add it to select the type of this object.",
    };
  return {
    code: "unknown_type",
    message: `Unknown type ${JSON.stringify(value)}.`,
    hint: suggestType(value, typeNames(issue)),
  };
}

/** Names of components in HTML and other editors. */
const TYPE_ALIASES = new Map<string, ComponentType>(
  Object.entries({
    paragraph: "text",
    p: "text",
    span: "text",
    label: "text",
    richtext: "text",
    title: "heading",
    h1: "heading",
    h2: "heading",
    h3: "heading",
    div: "container",
    box: "container",
    group: "container",
    stack: "container",
    row: "columns",
    grid: "columns",
    col: "column",
    cell: "table-cell",
    td: "table-cell",
    th: "table-cell",
    tr: "table-row",
    ul: "list",
    ol: "list",
    li: "list-item",
    img: "image",
    picture: "image",
    logo: "image",
    hr: "divider",
    line: "divider",
    separator: "divider",
    rule: "divider",
    gap: "spacer",
    pagebreak: "page-break",
    signature: "sign-field",
    graph: "chart",
    qr: "qrcode",
  } as const),
);

/** Types of fields in databases and programs. */
const FIELD_TYPE_ALIASES = new Map<string, FieldType>(
  Object.entries({
    text: "String",
    varchar: "String",
    email: "String",
    url: "String",
    integer: "Number",
    int: "Number",
    float: "Number",
    decimal: "Number",
    double: "Number",
    money: "Number",
    currency: "Number",
    datetime: "Date",
    timestamp: "Date",
    bool: "Boolean",
    checkbox: "Boolean",
    yesno: "Boolean",
    array: "OneToManyLink",
    list: "OneToManyLink",
    object: "OneToOneLink",
    record: "OneToOneLink",
  } as const),
);

function suggestType(type: string, acceptedTypes: readonly string[]): string {
  const name = type.toLowerCase().replaceAll(/[-_]/g, "");
  const meant = acceptedTypes.includes("String")
    ? FIELD_TYPE_ALIASES.get(name)
    : TYPE_ALIASES.get(name);
  return meant !== undefined && acceptedTypes.includes(meant)
    ? `Did you mean "${meant}"?`
    : suggestion(type, acceptedTypes);
}

/** zod adds the accepted types to the issue, but its TypeScript type does not declare them. */
function typeNames(issue: Issue): string[] {
  return "options" in issue && Array.isArray(issue.options)
    ? issue.options.map(String)
    : [];
}

function newerVersion(issue: Issue, value: unknown): Finding | null {
  const isVersion = issue.path.join() === "schemaVersion";
  if (!isVersion || typeof value !== "number" || value <= 1) return null;
  return {
    code: "unknown_version",
    message: `This definition has schemaVersion ${value}, but version 1 is the newest supported version.`,
    hint: "Upgrade Platen, or save the definition as version 1.",
  };
}

const COMPONENT_LISTS: readonly unknown[] = [
  "components",
  "header",
  "footer",
  "firstHeader",
  "firstFooter",
  "empty",
  "else",
];

function textForComponents(issue: Issue, value: unknown): Finding | null {
  if (typeof value !== "string" || !isAboutType(issue)) return null;
  if (!COMPONENT_LISTS.includes(issue.path.at(-1))) return null;
  const { message, ...finding } = describeIssue(issue, value);
  if (!message.includes("an array")) return null;
  const text = { type: "text", text: value };
  return {
    ...finding,
    message,
    hint: `Write an array of components: [${value.length <= 60 ? JSON.stringify(text) : '{ "type": "text", "text": … }'}].`,
  };
}

function unknownKeys(
  issue: z.core.$ZodIssueUnrecognizedKeys,
  input: unknown,
): ShapeProblem[] {
  const knownProperties = issue.message.split(" ");
  const node = valueAt(input, issue.path);
  const takesStyle = isComponent(node) && knownProperties.includes("style");
  return unknownKeyNames(issue, input).map((key, at) =>
    at < MAX_DESCRIBED
      ? {
          path: jsonPath([...issue.path, key]),
          keys: [...issue.path, key],
          code: "unknown_property",
          message: `Unknown property ${JSON.stringify(key)}.`,
          hint:
            suggestAlias(key, knownProperties) ||
            (takesStyle && suggestStyle(key, valueAt(node, [key]))) ||
            suggestion(key, knownProperties),
        }
      : { ...UNDESCRIBED, code: "unknown_property", keys: issue.path },
  );
}

function unknownKeyNames(
  issue: z.core.$ZodIssueUnrecognizedKeys,
  input: unknown,
): string[] {
  const node = valueAt(input, issue.path);
  const open = issue.path.length === 0 || isComponent(node);
  return issue.keys.filter((key) => !(open && key.startsWith("x-")));
}

/** Names of properties in HTML and other editors; the first that the object has is meant. */
const PROPERTY_ALIASES = new Map<string, readonly string[]>(
  Object.entries({
    children: ["components"],
    content: ["text", "components", "value"],
    body: ["components"],
    rows: ["components"],
    cells: ["components"],
    items: ["components"],
    visible: ["condition"],
    hidden: ["condition"],
    if: ["condition"],
    when: ["condition"],
    show: ["condition"],
    showif: ["condition"],
    repeat: ["collection"],
    each: ["collection"],
    foreach: ["collection"],
    loop: ["collection"],
    url: ["src", "href"],
    source: ["src"],
    link: ["href"],
    label: ["text"],
    role: ["submitter"],
    signer: ["submitter"],
    kind: ["field", "chart"],
  } as const),
);

function suggestAlias(
  key: string,
  knownProperties: readonly string[],
): string | null {
  const meant = PROPERTY_ALIASES.get(key.toLowerCase())?.find((name) =>
    knownProperties.includes(name),
  );
  return meant === undefined ? null : `Did you mean "${meant}"?`;
}

/** What other editors have as properties of their own: a property of CSS, and its value where the name implies it. */
const STYLE_ALIASES = new Map<string, [name: StyleProperty, value?: string]>([
  ["align", ["text-align"]],
  ["bold", ["font-weight", "bold"]],
  ["italic", ["font-style", "italic"]],
  ["underline", ["text-decoration", "underline"]],
]);

/** A property of CSS beside `style` instead of in it; null for any other name. */
function suggestStyle(key: string, value: unknown): string | null {
  const dashed = key.replaceAll(
    /[A-Z]/g,
    (letter) => `-${letter.toLowerCase()}`,
  );
  const [name, implied = value] = STYLE_ALIASES.get(key) ?? [dashed];
  if (!STYLE_PROPERTIES.some((property) => property === name)) return null;
  const shortValue =
    typeof implied === "string" && implied.length <= 60
      ? JSON.stringify(implied)
      : "…";
  return `Write it in style: "style": { "${name}": ${shortValue} }.`;
}

function isComponent(node: unknown): boolean {
  const type = valueAt(node, ["type"]);
  return COMPONENT_TYPES.some((componentType) => componentType === type);
}

// Describes an issue of zod: what was found, what was expected and how to fix it.

type Issue = z.core.$ZodIssue;
type Finding = Omit<Problem, "path">;

/** @param value the value at the path of the issue */
function describeIssue(issue: Issue, value: unknown): Finding {
  if (value === undefined && isAboutType(issue)) return missing(issue);
  switch (issue.code) {
    case "invalid_type":
      return wrongType(expectedType(issue.expected), value);
    case "invalid_value":
      return wrongWord(issue.values, value);
    case "invalid_union":
      return {
        ...wrongType(describeExpected(issue), value),
        ...suggestWord(issue, value),
      };
    case "too_small":
    case "too_big":
      return outOfRange(issue, value);
    case "invalid_key":
      return describeIssue(issue.issues[0]!, issue.path.at(-1));
    default:
      return wrongValue(issue.message, value);
  }
}

const UNITS: ReadonlyMap<string, string> = new Map([
  ["string", " character"],
  ["array", " element"],
]);

function isAboutType(issue: Issue): boolean {
  return ["invalid_type", "invalid_value", "invalid_union"].includes(
    issue.code,
  );
}

function missing(issue: Issue): Finding {
  const name = String(issue.path.at(-1) ?? "value");
  return {
    code: "missing_property",
    message: `The property "${name}" is missing.`,
    hint: `Add it: ${describeExpected(issue)}.`,
  };
}

function wrongType(expected: string, value: unknown): Finding {
  return {
    code: "wrong_type",
    message: `Expected ${expected}, but found ${formatValue(value)}.`,
  };
}

function wrongWord(words: readonly unknown[], value: unknown): Finding {
  return {
    ...wrongValue(listed(words), value),
    ...(typeof value === "string" && suggestMeant(value, words)),
  };
}

/** @param expected completes "Expected …", or, with a verb, "The value …" */
function wrongValue(expected: string, value: unknown): Finding {
  return {
    code: "wrong_value",
    message: /^(?:must|cannot) /.test(expected)
      ? `The value ${expected}.`
      : `Expected ${expected}, but found ${formatValue(value)}.`,
  };
}

function outOfRange(
  issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig,
  value: unknown,
): Finding {
  const low = issue.code === "too_small";
  const bound = low ? issue.minimum : issue.maximum;
  const unit = getUnit(issue.origin, Number(bound));
  const exact = issue.inclusive === false ? (low ? "more" : "less") : "";
  const words = exact
    ? `${exact} than ${bound}`
    : `at ${low ? "least" : "most"} ${bound}`;
  const actual = Array.isArray(value) ? `${value.length}` : formatValue(value);
  return {
    code: "wrong_value",
    message: `Expected ${words}${unit}, but found ${actual}.`,
  };
}

function getUnit(origin: string, count: number): string {
  const unit = UNITS.get(origin);
  return unit === undefined || count === 1 ? (unit ?? "") : `${unit}s`;
}

/** Suggests the option of a union that was probably meant, such as a mark. */
function suggestWord(
  issue: z.core.$ZodIssueInvalidUnion,
  value: unknown,
): Pick<Finding, "hint"> {
  if (typeof value !== "string") return {};
  const words = issue.errors
    .flat()
    .flatMap((branchIssue) =>
      branchIssue.code === "invalid_value" && branchIssue.path.length === 0
        ? branchIssue.values
        : [],
    );
  return suggestMeant(value, words);
}

/** The message lists all values, so the hint only names a similar one. */
function suggestMeant(
  value: string,
  words: readonly unknown[],
): Pick<Finding, "hint"> {
  const texts = words.filter((word) => typeof word === "string");
  const nearest = findNearestWord(
    value,
    texts.filter((word) => isNegative(word) === isNegative(value)),
  );
  return nearest === undefined ? {} : { hint: `Did you mean "${nearest}"?` };
}

/** `doesNotContain` is never meant by `contain`, nor `contains` by `notContains`. */
const isNegative = (word: string) => /not/i.test(word);

/** Describes what an issue expects; for a union, what any branch expects. */
function describeExpected(issue: Issue): string {
  if (issue.code === "invalid_type") return expectedType(issue.expected);
  if (issue.code === "invalid_value") return listed(issue.values);
  if (issue.code !== "invalid_union") return issue.message;
  const branches = issue.errors.flatMap((branch) =>
    branch.filter(
      (branchIssue) =>
        branchIssue.path.length === 0 && isAboutType(branchIssue),
    ),
  );
  const words = new Set(branches.map(describeExpected));
  return words.size === 0 ? "another value" : [...words].join(" or ");
}

function expectedType(name: string): string {
  const words: Record<string, string> = {
    int: "a whole number",
    array: "an array",
    object: "an object",
    record: "an object",
    boolean: "true or false",
  };
  return words[name] ?? `a ${name}`;
}

function listed(words: readonly unknown[]): string {
  if (words.length === 1) return JSON.stringify(words[0]);
  return `one of ${words.join(", ")}`;
}

function formatValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/**
 * A union reports the issues of all its branches. Only those of the intended branch are useful: the branch whose kind
 * fits the value and which has the fewest issues.
 */
function flattenIssues(
  issues: readonly Issue[],
  base: readonly PropertyKey[] = [],
): Issue[] {
  return issues.flatMap((issue) => {
    const path = [...base, ...issue.path];
    const branch =
      issue.code === "invalid_union" ? findMeantBranch(issue.errors) : null;
    return branch ? flattenIssues(branch, path) : [{ ...issue, path }];
  });
}

function findMeantBranch(
  branches: readonly (readonly Issue[])[],
): readonly Issue[] | null {
  const fitting = branches.filter((branch) => !branch.some(isMismatch));
  if (fitting.length === 0) return null;
  return fitting.reduce((best, branch) =>
    cost(branch) < cost(best) ? branch : best,
  );
}

function isMismatch(issue: Issue): boolean {
  return (
    issue.path.length === 0 &&
    (issue.code === "invalid_type" || issue.code === "invalid_value")
  );
}

function cost(branch: readonly Issue[]): number {
  return branch.reduce(
    (sum, issue) =>
      sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 1),
    0,
  );
}
