import type { GroupBy, Logic, Operator, Rule } from "../schema/data-schema.js";
import { listSources } from "./compile-expression.js";
import {
  findRuleType,
  isBooleanLiteral,
  listed,
  ordersWrittenDate,
  type RepeatRules,
} from "./compile-rules.js";
import { isWrittenDate } from "./dates.js";
import { resolveFilter } from "./filters.js";
import {
  explainUndeclaredName,
  findForeignText,
  suggestScope,
} from "./foreign-syntax.js";
import {
  findAggregate,
  type Aggregate,
  aggregateField,
  checkAggregateCall,
  literalOf,
  resolveFunction,
  resolveTranslation,
} from "./functions.js";
import {
  FIGURES_HINT,
  getDateHint,
  isUsable,
  USABLE,
  type UsableValue,
  writeStep,
} from "./invalid-values.js";
import {
  type BinaryNode,
  type CallNode,
  type FilterNode,
  type Node,
  type PathNode,
  getSourceText,
  parseExpression,
  parsePath,
  RESERVED_WORDS,
  hasBraces,
  isExpression,
  splitTemplate,
  TRANSLATION,
} from "./parse.js";
import { type BindingProblem, didYouMean, getProblem } from "./problem.js";
import {
  elementTypes,
  resolvePath,
  unknownScope,
  traverseShape,
  type Traversal,
  type PathStart,
  type ResolvedPath,
  isOpen,
  type Shape,
  type ScopeTypes,
  ANY,
  ENTRY,
  listScopes,
  groupType,
  UNDECLARED,
} from "./resolve-path.js";
import { isEmpty, toNumeric, toText } from "./values.js";

/** A path in an expression, and the declared fields that its keys refer to. */
export interface PathRead {
  readonly node: PathNode;
  /** The offset of the expression in the string that contains it. */
  readonly from: number;
  /** The id of the scope where reading starts; empty inside an aggregate. */
  readonly scope: string;
  /** The collection that declares each key; null for scopes, list indexes and undeclared keys. */
  readonly owners: readonly (string | null)[];
}

export interface BindingReport {
  error(problem: BindingProblem): void;
  warning(problem: BindingProblem): void;
  /** Called for every path that resolves. */
  read?(read: PathRead): void;
  /** The same report for a part of the checked value: `.filter.rules[0].field`. */
  at(suffix: string): BindingReport;
}

type Options = Partial<Pick<CheckContext, "reach" | "takesLists" | "from">>;

export function checkTemplate(
  source: string,
  types: ScopeTypes,
  report: BindingReport,
): void {
  if (!hasBraces(source)) return checkLiteral(source, types, report);
  const parts = attempt(report, () => splitTemplate(source));
  for (const literal of parts?.literals ?? [])
    checkLiteral(literal, types, report);
  for (const [index, part] of parts?.inner.entries() ?? [])
    checkPrinted(part, types, report, { from: parts?.starts[index] ?? 0 });
}

/** Warns of text that is an expression in another template language, since it is printed as it is. */
function checkLiteral(
  literal: string,
  types: ScopeTypes,
  report: BindingReport,
): void {
  const foreignText = findForeignText(
    literal,
    (path) => isDeclared(path, types),
    isExpression,
  );
  if (!foreignText) return;
  report.warning({
    code: "foreign_syntax",
    message: `${JSON.stringify(foreignText.text)} is printed as it is.`,
    hint: foreignText.hint,
    expression: foreignText.text,
    column: 1,
  });
}

function isDeclared(path: string, types: ScopeTypes): boolean {
  const [first = "", next] = path.split(".");
  return [...listScopes(types)].some(({ id, record }) =>
    id === first ? next !== undefined : record.getShape(first) !== null,
  );
}

/** Reports every problem of the expression of a computed field, whose paths start at its record. */
export function checkComputed(
  source: string,
  types: ScopeTypes,
  report: BindingReport,
): void {
  checkPrinted(source, types, report, { reach: "item" });
}

/** Records and collections print nothing, so printing one is probably a mistake. */
function checkPrinted(
  source: string,
  types: ScopeTypes,
  report: BindingReport,
  options: Options,
): void {
  const shape = checkSource(source, types, report, options);
  const text = source.trim();
  if (shape) warnOfRecord(text, shape, { expression: text, column: 1 }, report);
}

function warnOfRecord(
  text: string,
  shape: Shape,
  place: Pick<BindingProblem, "expression" | "column">,
  report: BindingReport,
): void {
  if (!("record" in shape) || isOpen(shape.record)) return;
  const many = shape.kind === "many";
  report.warning({
    code: "prints_nothing",
    message: `${text} is ${many ? "a collection" : "a record"}, which prints nothing.`,
    hint: many
      ? `Repeat a component over it, or print COUNT(${text}).`
      : `Print one of its fields: ${listSome([...shape.record.fields])}.`,
    ...place,
  });
}

const MAX_LISTED = 24;

function listSome(names: readonly string[]): string {
  const some = names.slice(0, MAX_LISTED).join(", ");
  const more = names.length - MAX_LISTED;
  return more > 0 ? `${some} and ${more} more` : some;
}

/** @param source without braces */
export function checkExpression(
  source: string,
  types: ScopeTypes,
  report: BindingReport,
): void {
  checkSource(source, types, report, {});
}

function checkPathSource(
  source: string,
  types: ScopeTypes,
  report: BindingReport,
  reach: "scope" | "item",
): Shape | null {
  const path = attempt(report, () => parsePath(source));
  if (!path) return null;
  const from = leadingSpace(source);
  const context = { types, report, reach, from, takesLists: true };
  return checkPathNode(path.node, { ...context, source: path.source });
}

function checkSource(
  source: string,
  types: ScopeTypes,
  report: BindingReport,
  options: Options,
): Shape | null {
  const parsed = attempt(report, () => parseExpression(source));
  if (!parsed) return null;
  const defaults = { reach: "scope", takesLists: false } as const;
  const from = (options.from ?? 0) + leadingSpace(source);
  const context = { types, report, ...defaults, ...options, from };
  return checkNode(parsed.node, { ...context, source: parsed.source });
}

/** The parser trims the source, so columns shift by the leading space. */
function leadingSpace(source: string): number {
  return source.length - source.trimStart().length;
}

/** Returns the shape of the value. */
function checkNode(node: Node, context: CheckContext): Shape {
  const single = { ...context, takesLists: false };
  switch (node.kind) {
    case "literal":
      return ANY;
    case "path":
      return checkPathNode(node, context);
    case "list":
      return checkParts(node.items, single);
    case "unary":
      if (node.operator !== "not")
        checkConstants(node.operand, "number", context);
      return checkParts([node.operand], single);
    case "binary":
      return checkBinary(node, single);
    case "conditional":
      return checkParts([node.value, node.test, node.otherwise], single);
    case "filter":
      return checkFilter(node, single);
    default:
      return checkCall(node, context);
  }
}

function checkFilter(node: FilterNode, context: CheckContext): Shape {
  const { report, source, types } = context;
  const definition = attempt(report, () =>
    resolveFilter(node, source, getRoot(types).locale),
  );
  const takesLists = definition?.takesLists ?? false;
  const { input } = node;
  const shape = checkNode(input, { ...context, takesLists });
  if (definition && !takesLists) checkPart(input, shape, context);
  const isConstant = literalOf(input) !== undefined;
  if (definition?.takes && isConstant)
    checkConstants(input, definition.takes, context);
  return checkParts(node.args, context);
}

/** Warns of a record that is a part of what an expression prints. */
function checkPart(
  node: Node,
  shape: Shape,
  { source, report }: CheckContext,
): void {
  const place = { expression: source, column: node.start + 1 };
  warnOfRecord(getSourceText(node, source), shape, place, report);
}

/** Warns of records that are joined, and checks constants. */
function checkBinary(node: BinaryNode, context: CheckContext): Shape {
  const { operator, left, right } = node;
  const sides = [left, right];
  const list =
    operator === "contains" ? left : operator === "in" ? right : null;
  const shapes = sides.map((side) =>
    checkNode(side, { ...context, takesLists: side === list }),
  );
  if (operator === "in") checkMembers(right, shapes[1] ?? ANY, context);
  for (const [index, shape] of shapes.entries()) {
    const part = sides[index]!;
    const other = sides[1 - index]!;
    if (operator === "~") checkPart(part, shape, context);
    const hint = ARITHMETIC[operator];
    if (hint !== undefined) checkConstants(part, "number", context, hint);
    const isCompared = COMPARISONS.includes(operator);
    if (isCompared || (operator === "in" && index === 0))
      for (const value of other.kind === "list" ? other.items : [other])
        checkCompared(part, shape, value, operator, context);
  }
  return ANY;
}

const WRITE_NUMBER = "Write a number, such as 1.5, or the path of one.";
const ARITHMETIC: Partial<Record<string, string>> = {
  "+": 'Join text with ~, as in root.number ~ " EUR".',
  "-": WRITE_NUMBER,
  "*": WRITE_NUMBER,
  "/": WRITE_NUMBER,
  "%": "The operator % is the remainder of a division. Format a number with a filter, as in root.total | number(2).",
};
const COMPARISONS: readonly string[] = ["=", "!=", "<", "<=", ">", ">="];

/** Warns of what is compared with a constant that it never equals, and reports one that has no order beside it. */
function checkCompared(
  node: Node,
  shape: Shape,
  other: Node,
  operator: string,
  context: CheckContext,
): void {
  const { source, report } = context;
  const text = getSourceText(node, source);
  const value = literalOf(other);
  const place = { expression: source, column: node.start + 1 };
  if (other.kind === "literal" && isEmpty(value)) return;
  if ("record" in shape) return warnOfCompared(text, shape, place, report);
  const isOrder = /[<>]/.test(operator);
  const type = shape.kind === "scalar" ? shape.type : null;
  const needed = NEEDED.find((name) => name === type?.toLowerCase());
  const isBoolean =
    needed === "boolean" && ["true", "false"].includes(toText(value));
  const isWritten = isOrder && isWrittenDate(value);
  if (value === undefined || isBoolean) return;
  if (needed ? isUsable(value, needed, "UTC") : !isWritten) return;
  const written = JSON.stringify(value);
  const hint =
    needed === "boolean"
      ? `Write ${text} or not ${text}.`
      : needed === "number"
        ? WRITE_NUMBER
        : getDateHint(value);
  if (!isOrder)
    report.warning({
      code: "never_equal",
      message: `${text} is a ${type}, which ${written} never equals.`,
      hint,
      ...place,
    });
  else if (needed !== "boolean")
    report.error({
      code: "invalid_value",
      message: `${written} is not ${USABLE[needed ?? "date"]}, so it has no order beside ${text}.`,
      hint,
      ...place,
    });
}

const NEEDED = ["boolean", "number", "date"] as const;

/** Records and collections equal no value and have no order. */
function warnOfCompared(
  text: string,
  shape: Shape,
  place: Partial<Pick<BindingProblem, "expression" | "column">>,
  report: BindingReport,
): void {
  if (!("record" in shape) || isOpen(shape.record)) return;
  const [field = ""] = shape.record.fields;
  const path = text + writeStep(field);
  report.warning({
    code: "never_equal",
    message: `${text} is a ${shape.kind === "many" ? "collection" : "record"}, which equals no value and has no order.`,
    hint:
      shape.kind === "many"
        ? `Compare COUNT(${text}), or write contains, as in ${path} contains "a".`
        : `Compare one of its fields, such as ${path}.`,
    ...place,
  });
}

/** Warns of a field after `in` whose type has no list; a String may have one. */
function checkMembers(
  node: Node,
  shape: Shape,
  { source, types, reach, report }: CheckContext,
): void {
  if (node.kind !== "path" || shape.kind !== "scalar") return;
  if (shape.type === "String" || shape.type === "Autogenerated") return;
  const path = resolvePath(node, types, reach);
  if (path && traverseShape(path).crossing >= 0) return;
  report.warning({
    code: "not_a_list",
    message: `${getSourceText(node, source)} is declared as ${shape.type}, which is not a list.`,
    hint: "Write = instead of in, or declare the field as a String, which may have a list.",
    ...placed(node, 0, source),
  });
}

/** Reports what the template itself provides for a number or date, and is none. */
function checkConstants(
  node: Node,
  needed: UsableValue,
  { source, report }: CheckContext,
  hint = WRITE_NUMBER,
): void {
  for (const constant of listSources(node)) {
    const value = literalOf(constant);
    if (isUsable(value, needed, "UTC")) continue;
    const isNumber = toNumeric(value) !== null;
    const isText = typeof value === "string" && !isNumber;
    const numberHint = isNumber ? FIGURES_HINT : hint;
    report.error({
      code: "invalid_value",
      message: `${getSourceText(constant, source)} is ${isText ? "a text, which is " : ""}not ${USABLE[needed]}.`,
      hint: needed === "date" ? getConstantDateHint(value) : numberHint,
      expression: source,
      column: constant.start + 1,
    });
  }
}

function getConstantDateHint(value: unknown): string {
  return /^(?:now|today)$/i.test(toText(value))
    ? "Write TODAY(), or NOW() with the time."
    : getDateHint(value);
}

function getRoot(types: ScopeTypes): ScopeTypes {
  return [...listScopes(types)].at(-1)!;
}

function checkParts(parts: readonly Node[], context: CheckContext): Shape {
  for (const part of parts) checkNode(part, context);
  return ANY;
}

function checkCall(node: CallNode, context: CheckContext): Shape {
  if (node.name === TRANSLATION) return checkTranslation(node, context);
  const aggregate = findAggregate(node.name);
  if (aggregate) return checkAggregate(node, aggregate, context);
  const { report, source } = context;
  const definition = attempt(report, () => resolveFunction(node, source));
  if (!definition) return checkParts(node.args, withoutWarnings(context));
  const { takesLists = false, printsArguments = false } = definition;
  const { numbers = [], dates = 0, returnsDate = false } = definition;
  for (const [at, argument] of node.args.entries()) {
    const shape = checkNode(argument, { ...context, takesLists });
    if (printsArguments) checkArgument(argument, shape, node, context);
    if (numbers.includes(at)) checkConstants(argument, "number", context);
    if (at < dates) checkConstants(argument, "date", context);
  }
  return returnsDate ? DATE : ANY;
}

const DATE: Shape = { kind: "scalar", type: "Date" };

/** Reports records, which print nothing, also one by one. */
function checkArgument(
  argument: Node,
  shape: Shape,
  { name }: CallNode,
  { source, report }: CheckContext,
): void {
  if (!("record" in shape) || isOpen(shape.record)) return;
  const text = getSourceText(argument, source);
  const fields = [...shape.record.fields].map(
    (field) => text + writeStep(field),
  );
  report.error({
    code: "prints_nothing",
    message: `${text} is ${shape.kind === "many" ? "a collection" : "a record"}, of which ${name} prints nothing.`,
    hint: `Write one of its fields: ${listSome(fields)}.`,
    expression: source,
    column: argument.start + 1,
  });
}

/** Checks that the text exists, and that it gets its values; a key that is not a literal is only known when it is printed. */
function checkTranslation(node: CallNode, context: CheckContext): Shape {
  const { report, source } = context;
  const single = { ...context, takesLists: false };
  const call = attempt(report, () => resolveTranslation(node, source));
  if (!call) return checkParts(node.args, single);
  const { key, values } = call;
  checkParts([key, ...values.map((value) => value.node)], single);
  const { translations } = getRoot(context.types);
  if (key.kind !== "literal" || translations === undefined) return ANY;
  const text = toText(key.value);
  const names = values.map(({ name }) => name);
  const place = { expression: source, column: key.start + 1 };
  if (!translations.keys.has(text)) {
    report.error({
      code: "unknown_translation",
      message: translations.isEmpty
        ? "The definition has no translations."
        : `No language of the translations has the text "${text}".`,
      ...place,
      ...(translations.isEmpty
        ? {
            hint: `Add them: "translations": { "en": { ${JSON.stringify(text)}: "…" } }.`,
          }
        : didYouMean(text, translations.keys)),
    });
    return ANY;
  }
  const needed = new Map<string, string>();
  for (const { locale, message } of translations.list(text))
    for (const name of message.names)
      if (!names.includes(name) && !needed.has(name)) needed.set(name, locale);
  for (const [name, locale] of needed)
    report.error({
      code: "missing_argument",
      message: `The text "${text}" in ${locale} needs a value named "${name}".`,
      ...place,
      hint: `Write t(${JSON.stringify(text)}, ${name} = …).`,
    });
  return ANY;
}

/** The meaning of arguments of an unknown function is unknown, so only errors are reported. */
function withoutWarnings(context: CheckContext): CheckContext {
  const report = { ...context.report, warning: () => undefined };
  return { ...context, report, takesLists: true };
}

function checkAggregate(
  node: CallNode,
  aggregate: Aggregate,
  context: CheckContext,
): Shape {
  const { report, source, types, reach } = context;
  const field = attempt(report, () => {
    checkAggregateCall(node, source, aggregate);
    return aggregateField(node, source);
  });
  const list = node.args[0];
  if (list?.kind !== "path") return ANY;
  checkPathNode(list, { ...context, takesLists: true });
  if (!field) return ANY;
  const inside = elementTypes(list, types, reach, "");
  const { node: inner, source: text } = field;
  const [, written] = node.args;
  const isQuoted = written !== undefined && written !== inner;
  checkNode(inner, {
    ...context,
    source: text,
    from: context.from + (isQuoted ? written.start + 1 : 0),
    types: inside,
    reach: "item",
    takesLists: true,
  });
  return ANY;
}

/** Returns the shape of the value. */
function checkPathNode(node: PathNode, context: CheckContext): Shape {
  const { source, types, reach, report, takesLists } = context;
  const path = resolvePath(node, types, reach);
  if (!path) {
    report.error(unknownScope(node, source, types));
    return ANY;
  }
  if (path.isUndeclaredName) reportUndeclaredName(node, context);
  const walk = traverseShape(path);
  report.read?.(pathRead(node, path, walk, context));
  const used = node.keys.length - path.keys.length;
  if (walk.crossing >= 0 && !takesLists) {
    report.error(outOfScope(node, walk, walk.crossing + used, context));
  }
  if (walk.undeclared >= 0) {
    report.warning(undeclaredField(node, walk, walk.undeclared + used, source));
  }
  return walk.shape;
}

function reportUndeclaredName(node: PathNode, context: CheckContext): void {
  const [name] = node.keys;
  const foreign = explainUndeclaredName(name);
  if (foreign === null)
    return context.report.warning(undeclaredName(node, context));
  context.report.error({
    code: "invalid_expression",
    ...foreign,
    ...placed(node, 0, context.source),
  });
}

function undeclaredName(node: PathNode, { source, types }: CheckContext) {
  const name = node.keys[0];
  const meant = suggestScope(name);
  const listNames = () =>
    Array.from(listScopes(types), ({ id, record }) => [
      id,
      ...record.fields,
    ]).flat();
  return {
    code: "undeclared_name",
    message: `No enclosing collection declares a field named "${name}".`,
    ...placed(node, 0, source),
    ...(meant === undefined ? didYouMean(name, listNames()) : { hint: meant }),
  };
}

function undeclaredField(
  node: PathNode,
  walk: Traversal,
  at: number,
  source: string,
): BindingProblem {
  const key = node.keys[at] ?? "";
  const path = node.keys.slice(0, at).join(".");
  const owner = at > 0 ? ` of ${path}` : "";
  const isCharacter = /^\d+$/.test(key) && walk.declared.size === 0;
  return {
    code: "undeclared_field",
    message: `The schema declares no field${owner} named "${key}".`,
    ...placed(node, at, source),
    ...(key === "length"
      ? { hint: `Write LEN(${path}).` }
      : isCharacter
        ? { hint: `Write ${path} | slice(${key}, 1) for a character.` }
        : didYouMean(key, walk.declared)),
  };
}

function outOfScope(
  node: PathNode,
  { crossed }: Traversal,
  at: number,
  { source, types }: CheckContext,
): BindingProblem {
  const list = node.keys.slice(0, at).join(".");
  const field = node.keys.slice(at).join(".");
  const inside = scopeOf(crossed, types);
  return {
    code: "collection_out_of_scope",
    message: `${list} is a collection, so "${field}" must be read from one of its records.`,
    hint: /^(?:length|size|count)$/.test(field)
      ? `Write COUNT(${list}).`
      : inside
        ? `Write ${inside.id}.${field}.`
        : `Repeat a component over ${list}, or write ${list}.0.${field}, SUM(${list}, ${field}), or ${list}.${field} contains "a".`,
    ...placed(node, at, source),
  };
}

function scopeOf(record: Traversal["crossed"], types: ScopeTypes) {
  return [...listScopes(types)].find((scope) => scope.record === record);
}

function placed(node: PathNode, at: number, expression: string) {
  return { expression, column: (node.starts[at] ?? node.start) + 1 };
}

function pathRead(
  node: PathNode,
  { start, keys, declaredIn }: ResolvedPath,
  walk: Traversal,
  { from, types }: CheckContext,
): PathRead {
  const before = node.keys.slice(0, node.keys.length - keys.length);
  const owners = declaredIn
    ? [declaredIn.record.name]
    : [
        ...before.map(() => null),
        ...walk.owners.map((owner) => owner?.name ?? null),
      ];
  return { node, from, owners, scope: getStartScopeId(start, types) };
}

function getStartScopeId(start: PathStart, types: ScopeTypes): string {
  switch (start.from) {
    case "item":
      return types.id;
    case "name":
      return start.scopes.at(-1) ?? "root";
    case "own":
      return `${start.id}.${start.property}`;
    default:
      return start.id;
  }
}

interface CheckContext {
  readonly source: string;
  /** The offset of `source` in the checked string. */
  readonly from: number;
  readonly types: ScopeTypes;
  readonly report: BindingReport;
  /** Where paths start; see `resolvePath`. */
  readonly reach: "scope" | "item";
  /** Whether lists are allowed: a path may then read a field of every record of a collection. */
  readonly takesLists: boolean;
}

/** Runs a function that throws a problem. Reports the problem and returns null when it does. */
function attempt<T>(report: BindingReport, run: () => T): T | null {
  try {
    return run();
  } catch (error) {
    report.error(getProblem(error));
    return null;
  }
}

const WITHOUT_VALUE: readonly Operator[] = [
  "null",
  "notNull",
  "empty",
  "notEmpty",
];
const BETWEEN: readonly Operator[] = ["between", "notBetween"];
const OF_LISTS: readonly Operator[] = [
  ...WITHOUT_VALUE,
  "contains",
  "doesNotContain",
];

export function checkLogic(
  logic: Logic,
  types: ScopeTypes,
  report: BindingReport,
): void {
  checkRules(logic, types, report, "scope");
}

/** @param reach where paths of the rules start: at the scopes in a condition, at the element in a filter. */
function checkRules(
  logic: Logic,
  types: ScopeTypes,
  report: BindingReport,
  reach: "scope" | "item",
): void {
  for (const [index, part] of logic.rules.entries()) {
    const at = report.at(`.rules[${index}]`);
    if ("rules" in part) checkRules(part, types, at, reach);
    else checkRule(part, types, at, reach);
  }
}

function checkRule(
  rule: Rule,
  types: ScopeTypes,
  report: BindingReport,
  reach: "scope" | "item",
): void {
  const takesLists = OF_LISTS.includes(rule.operator);
  const field = report.at(".field");
  const shape = checkSource(rule.field, types, field, { reach, takesLists });
  if (WITHOUT_VALUE.includes(rule.operator)) return;
  const isEmptyValue = rule.valueSource !== "field" && isEmpty(rule.value);
  if (shape && !isEmptyValue && !OF_LISTS.includes(rule.operator))
    warnOfCompared(rule.field, shape, {}, field);
  const value = report.at(".value");
  if (rule.valueSource === "field") {
    checkFieldValue(rule, types, value, reach);
  } else {
    checkLiteralValue(rule, shape, value);
  }
}

function checkFieldValue(
  { value }: Rule,
  types: ScopeTypes,
  report: BindingReport,
  reach: "scope" | "item",
): void {
  if (typeof value === "string" && value.trim() !== "") {
    checkSource(value, types, report, { reach, takesLists: true });
  } else {
    invalid(
      report,
      'The value must be a path because valueSource is "field".',
      'Write a path, such as "root.limit".',
    );
  }
}

function checkLiteralValue(
  rule: Rule,
  shape: Shape | null,
  report: BindingReport,
): void {
  const { operator, value } = rule;
  if (value === undefined) {
    return invalid(
      report,
      `The operator ${operator} needs a value to compare with.`,
    );
  }
  const isBetween = BETWEEN.includes(operator);
  if (isBetween && listed(value).length !== 2) {
    return invalid(
      report,
      `The operator ${operator} takes two values.`,
      "Write [low, high].",
    );
  }
  const isList = isBetween || operator === "in" || operator === "notIn";
  const type = findRuleType(rule, shape);
  for (const each of isList ? listed(value) : [value]) {
    if (isEmpty(each)) continue;
    if (shape?.kind === "scalar" && shape.type === "Boolean") {
      if (!isBooleanLiteral(each))
        invalid(
          report,
          `${rule.field} is a Boolean, and ${JSON.stringify(each)} is neither true nor false.`,
        );
    } else if (type === "Date" || ordersWrittenDate(rule, each)) {
      if (!isUsable(each, "date", "UTC"))
        invalid(
          report,
          `${JSON.stringify(each)} is not a Date.`,
          getDateHint(each),
        );
    } else if (type === "Number" && !isUsable(each, "number", "UTC"))
      invalid(report, `${JSON.stringify(each)} is not a Number.`);
  }
}

function invalid(report: BindingReport, message: string, hint?: string): void {
  const code = "invalid_value";
  report.error({ code, message, ...(hint ? { hint } : {}) });
}

const IDENTIFIER = /^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u;
const RESERVED: readonly string[] = [
  "root",
  "__proto__",
  "constructor",
  "prototype",
  ...RESERVED_WORDS,
];

/** Returns the types of the elements or groups. */
export function checkRepeat(
  repeat: RepeatRules,
  types: ScopeTypes,
  report: BindingReport,
): ScopeTypes {
  const {
    collectionId: id,
    path,
    entries,
    filter,
    sort = [],
    groupBy,
  } = repeat;
  checkCollectionId(id, report.at(".collectionId"));
  const at = report.at(".path");
  const shape = checkPathSource(path, types, at, "scope");
  if (entries) checkObject(shape, path, at);
  else if (shape?.kind === "scalar") notACollection(shape, path, at);
  const element = shape && "record" in shape ? shape.record : UNDECLARED;
  const record = entries ? ENTRY : element;
  const inside = { id, parent: types, record, isGrouped: false };
  const reach = "item";
  if (typeof filter === "string")
    checkSource(filter, inside, report.at(".filter"), { reach });
  else if (filter) checkRules(filter, inside, report.at(".filter"), reach);
  for (const [index, rule] of sort.entries()) {
    const place = report.at(`.sort[${index}].field`);
    checkPathSource(rule.field, inside, place, reach);
    checkNatural(rule, report.at(`.sort[${index}].natural`));
  }
  if (!groupBy) return inside;
  checkNatural(groupBy, report.at(".groupBy.natural"));
  const field = report.at(".groupBy.field");
  const key = checkPathSource(groupBy.field, inside, field, reach) ?? ANY;
  return { ...inside, record: groupType(record, key), isGrouped: true };
}

/** Only texts have numbers within them, and only groups with a direction are sorted. */
function checkNatural(
  { natural, type = "String", direction }: Omit<GroupBy, "field">,
  report: BindingReport,
): void {
  if (!natural) return;
  if (type !== "String")
    invalid(
      report,
      `The natural order is one of texts, and the type is ${type}.`,
      'Write the type "String", or leave out natural.',
    );
  if (direction === undefined)
    invalid(report, "The natural order needs a direction.", "Add ASC or DESC.");
}

function checkObject(
  shape: Shape | null,
  path: string,
  report: BindingReport,
): void {
  if (shape?.kind !== "scalar" && shape?.kind !== "many") return;
  const isMany = shape.kind === "many";
  report.error({
    code: "not_an_object",
    message: `${path} is ${isMany ? "a collection" : `declared as ${shape.type}`}, which has no keys.`,
    hint: isMany
      ? "Leave out entries (in HTML data-entries) to repeat for its elements."
      : "Declare the field as a OneToOneLink, or repeat over another path.",
    expression: path,
    column: 1,
  });
}

function checkCollectionId(id: string, report: BindingReport): void {
  const code = "invalid_collection_id";
  if (RESERVED.includes(id)) {
    const message = `"${id}" is a reserved word.`;
    report.error({
      code,
      message,
      hint: `Write ${id}Item, or use another name.`,
    });
  } else if (!IDENTIFIER.test(id)) {
    const message = `"${id}" is not a valid collectionId.`;
    const hint =
      "Use letters, digits and underscores, and start with a letter.";
    report.error({ code, message, hint });
  }
}

function notACollection(
  { type }: Extract<Shape, { kind: "scalar" }>,
  path: string,
  report: BindingReport,
): void {
  if (type === "String") return;
  report.warning({
    code: "not_a_collection",
    message: `${path} is declared as ${type}, which is not a collection. Nothing is repeated.`,
    hint: "Declare the field as a OneToManyLink, or repeat over another path.",
    expression: path,
    column: 1,
  });
}
