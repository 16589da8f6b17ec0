import { parseBooleanText } from "../../plugin-api/index.js";
import type {
  Logic,
  Rule,
  Operator,
  ValueType,
  Repeat,
  SortRule,
  GroupBy,
} from "../schema/data-schema.js";
import {
  compileExpression,
  type Evaluator,
  compileInvalidReport,
  compilePathNode,
  compileTruth,
  compileTypedRead,
  compileSeveralReport,
  findComparedType,
  isSeveral,
  readsBoolean,
  reportsMixed,
} from "./compile-expression.js";
import { isWrittenDate, toStartTime, toDateValue } from "./dates.js";
import { parseExpression, parsePath } from "./parse.js";
import { listTypes, type Shape, type ScopeTypes } from "./resolve-path.js";
import {
  itemScope,
  type ExpectedValue,
  type Scope,
  type MergeContext,
} from "./scope.js";
import { startsWithPart } from "./text-parts.js";
import {
  areEqual,
  compareValues,
  containsValue,
  isList,
  isRecord,
  isEmpty,
  toText,
  numericText,
  toNumeric,
  compareKeys,
  sortKey,
  type SortKey,
  toElements,
} from "./values.js";

/** @throws PlatenError `invalid_definition` for what the checker rejects */
export function compileLogic(
  logic: Logic,
  where: string,
  types: ScopeTypes,
): Condition {
  return compileRules(logic, { where, types, reach: "scope" });
}

export type Condition = (scope: Scope) => boolean;

/** Compiles an expression as a condition: a missing value is false and not reported. */
export function compileTest(
  source: string,
  where: string,
  types: ScopeTypes,
): Condition {
  return compileExpressionTest(source, { where, types, reach: "scope" });
}

function compileExpressionTest(
  source: string,
  env: RuleEnvironment,
): Condition {
  const parsed = parseExpression(source);
  const setting = { ...env, source: parsed.source, ignoresMissing: true };
  const read = compileExpression(parsed, setting);
  return compileTruth(parsed.node, read, setting);
}

interface RuleEnvironment {
  readonly where: string;
  readonly types: ScopeTypes;
  /** Paths of conditions start at the scopes, paths of filters at the element. */
  readonly reach: "scope" | "item";
}

/**
 * Rules test whether there is a value, so a missing one is not reported. Logic without rules is always true.
 * @throws PlatenError `invalid_definition` for what the checker rejects
 */
function compileRules(logic: Logic, env: RuleEnvironment): Condition {
  const tests = logic.rules.map((part) =>
    "rules" in part ? compileRules(part, env) : compileRule(part, env),
  );
  if (tests.length === 0) return () => true;
  const holds: Condition =
    logic.combinator === "and"
      ? (scope) => tests.every((test) => test(scope))
      : (scope) => tests.some((test) => test(scope));
  return logic.not ? (scope) => !holds(scope) : holds;
}

function compileRule(rule: Rule, env: RuleEnvironment): Condition {
  const type = rule.type ?? findDeclaredType(rule, env);
  const needed = TYPELESS.has(rule.operator) ? undefined : type;
  const value = compileSide(rule.field, needed, env);
  const wanted = compileWanted(rule, needed, env);
  const test = ruleOperators[rule.operator];
  const isText = type === undefined || type === "String";
  const report = isText ? compileRuleReport(rule, env) : null;
  return (scope) => {
    const [left, right] = [value(scope), wanted(scope)];
    report?.(scope, left, right);
    return test(left, right, { type, context: scope.context });
  };
}

const EQUALITIES: ReadonlySet<Operator> = new Set(["=", "!=", "in", "notIn"]);
const ORDERS: ReadonlySet<Operator> = new Set([
  "<",
  "<=",
  ">",
  ">=",
  "between",
  "notBetween",
]);

/** The type of a rule that compares dates without saying so. */
function findDeclaredType(
  { operator, field, value, valueSource }: Rule,
  env: RuleEnvironment,
): ValueType | undefined {
  if (TYPELESS.has(operator)) return undefined;
  const isField = valueSource === "field" && typeof value === "string";
  return (isField ? [field, value] : [field])
    .map((text) => {
      const { node, source } = parseExpression(text);
      return findComparedType([node], { ...env, source, ignoresMissing: true });
    })
    .find((type) => type !== undefined);
}

/** The type by which a rule compares values with its literal: its own, or that of its field. */
export function findRuleType(
  { type, operator }: Rule,
  shape: Shape | null,
): ValueType | undefined {
  if (type !== undefined || TYPELESS.has(operator)) return type;
  const declared = shape?.kind === "scalar" ? shape.type : undefined;
  return declared === "Date" || declared === "Number" ? declared : undefined;
}

/** Whether a rule orders values by a literal that is a date as people write it, which texts do not sort by time. */
export function ordersWrittenDate(
  { operator }: Rule,
  literal: unknown,
): boolean {
  return ORDERS.has(operator) && isWrittenDate(literal);
}

const ignore = () => {};

/**
 * Reports a value that is compared with booleans alone and is none, several values that are compared as one, and dates
 * as people write them, which have no order.
 */
function compileRuleReport(
  { field, operator, value, valueSource }: Rule,
  env: RuleEnvironment,
): ReturnType<typeof reportsMixed> | null {
  const isField = valueSource === "field" && typeof value === "string";
  const compileReports = (expected: ExpectedValue) =>
    (isField ? [field, value] : [field]).map((text) => {
      const { node, source } = parseExpression(text);
      const setting = { ...env, source, ignoresMissing: true };
      return compileInvalidReport(node, expected, setting);
    });
  if (ORDERS.has(operator)) {
    const [reportLeft = ignore, reportRight = ignore] = compileReports("date");
    return (scope, left, right) => {
      if (isWrittenDate(left)) reportLeft(scope, left);
      if (isWrittenDate(right)) reportRight(scope, right);
    };
  }
  if (!EQUALITIES.has(operator)) return null;
  const [ofLeft = ignore, ofRight] = compileReports("boolean");
  const reportBoolean = reportsMixed(ofLeft, ofRight);
  const [ofList = ignore, ofOtherList = ignore] = compileReports("single");
  const reportSeveral = compileSeveralReport(ofList, ofOtherList);
  const takesList = operator === "in" || operator === "notIn";
  return (scope, left, right) => {
    const candidates = isList(right) ? right : [right];
    const other = candidates.find((item) => typeof item !== "boolean");
    reportBoolean(scope, left, other ?? candidates[0]);
    if (!takesList) reportSeveral(scope, left, right);
    else if (
      isSeveral(left) &&
      !isIn(left, right, { type: undefined, context: scope.context })
    )
      ofList(scope, left);
  };
}

/** Operators that compare texts or look for emptiness, whatever the type of their rule. */
const TYPELESS: ReadonlySet<Operator> = new Set([
  "contains",
  "doesNotContain",
  "beginsWith",
  "doesNotBeginWith",
  "endsWith",
  "doesNotEndWith",
  "null",
  "notNull",
  "empty",
  "notEmpty",
]);

/** Reads one side of a rule. A value that is not of the type is reported, since the rule decides by it. */
function compileSide(
  source: string,
  type: ValueType | undefined,
  env: RuleEnvironment,
): Evaluator {
  const parsed = parseExpression(source);
  const setting = { ...env, source, ignoresMissing: true };
  const read = compileExpression(parsed, setting);
  return compileTypedRead(read, type, parsed.node, setting);
}

/** The literal, or the expression for `valueSource: "field"`. */
function compileWanted(
  rule: Rule,
  type: ValueType | undefined,
  env: RuleEnvironment,
): Evaluator {
  const takesList = ["in", "notIn", "between", "notBetween"].includes(
    rule.operator,
  );
  if (rule.valueSource === "field") {
    const source = typeof rule.value === "string" ? rule.value : "";
    return compileSide(source, takesList ? undefined : type, env);
  }
  const literal = toComparable(rule, env, takesList);
  return () => literal;
}

/** A field that is yes or no compares with yes or no, however the rule writes it. */
function toComparable(
  { field, value }: Rule,
  env: RuleEnvironment,
  takesList: boolean,
): unknown {
  const literal: unknown = takesList ? listed(value) : value;
  const parsed = parseExpression(field);
  const setting = { ...env, source: parsed.source, ignoresMissing: true };
  if (!readsBoolean(parsed.node, setting)) return literal;
  return isList(literal)
    ? literal.map((item) => toBoolean(item))
    : toBoolean(literal);
}

function toBoolean(literal: unknown): unknown {
  const isWord = typeof literal === "string" || typeof literal === "number";
  return (isWord ? parseBooleanText(String(literal)) : null) ?? literal;
}

/** Whether a rule can compare a field that is yes or no with the literal. */
export function isBooleanLiteral(literal: unknown): boolean {
  return typeof toBoolean(literal) === "boolean";
}

interface Comparison {
  readonly type: ValueType | undefined;
  readonly context: MergeContext;
}

type Test = (value: unknown, wanted: unknown, by: Comparison) => boolean;

/** Compares the value of the field with the value of the rule. Each `doesNot…` and `not…` negates its counterpart. */
const ruleOperators: Readonly<Record<Operator, Test>> = {
  "=": isEqual,
  "!=": not(isEqual),
  "<": ordered((order) => order < 0),
  "<=": ordered((order) => order <= 0),
  ">": ordered((order) => order > 0),
  ">=": ordered((order) => order >= 0),
  contains,
  doesNotContain: not(contains),
  beginsWith,
  doesNotBeginWith: not(beginsWith),
  endsWith,
  doesNotEndWith: not(endsWith),
  in: isIn,
  notIn: not(isIn),
  between: isBetween,
  notBetween: not(isBetween),
  null: isNull,
  notNull: not(isNull),
  empty: isEmpty,
  notEmpty: not(isEmpty),
};

function not(test: Test): Test {
  return (value, wanted, by) => !test(value, wanted, by);
}

function isEqual(value: unknown, wanted: unknown, by: Comparison): boolean {
  return areEqual(value, wanted, by.type, by.context);
}

/** Values without an order, such as empty ones, are neither smaller nor greater nor equal. */
function ordered(holds: (order: number) => boolean): Test {
  return (value, wanted, { type, context }) => {
    const order = compareValues(value, wanted, type, context);
    return order !== null && holds(order);
  };
}

function contains(value: unknown, wanted: unknown, by: Comparison): boolean {
  return containsValue(value, wanted, by.type, by.context);
}

function beginsWith(
  value: unknown,
  wanted: unknown,
  { context }: Comparison,
): boolean {
  return startsWithPart(toText(value), toText(wanted), context);
}

function endsWith(value: unknown, wanted: unknown): boolean {
  return !isEmpty(wanted) && toText(value).endsWith(toText(wanted));
}

function isIn(value: unknown, wanted: unknown, by: Comparison): boolean {
  return listed(wanted).some((candidate) => isEqual(value, candidate, by));
}

/** Both bounds are inclusive. */
function isBetween(
  value: unknown,
  wanted: unknown,
  { type, context }: Comparison,
): boolean {
  const [low, high] = listed(wanted);
  const fromLow = compareValues(value, low, type, context);
  const fromHigh = compareValues(value, high, type, context);
  if (fromLow === null || fromHigh === null) return false;
  return fromLow >= 0 && fromHigh <= 0;
}

function isNull(value: unknown): boolean {
  return value === null || value === undefined;
}

/** Accepts a list or comma-separated text, which react-querybuilder writes. */
export function listed(value: unknown): readonly unknown[] {
  if (isList(value)) return value;
  if (typeof value !== "string") return isEmpty(value) ? [] : [value];
  return value.split(",").map((part) => part.trim());
}

/** A repetition whose filter may be an expression, and whose sort rules may leave the type to the values. */
export interface RepeatRules extends Omit<Repeat, "filter" | "sort"> {
  filter?: Logic | string | undefined;
  sort?: readonly (Omit<SortRule, "type"> & { type?: ValueType })[] | undefined;
}

/** Returns the scopes of the elements or groups of a collection, in print order. */
export type Repeater = (scope: Scope) => Scope[];

/**
 * Applies filter, sort, groupBy, offset and limit in this order. A path to a single object repeats once, with
 * `entries` for each of its keys; an empty value never; any other value is reported.
 * @throws PlatenError `invalid_definition` for what the checker rejects; at merge time, what `spend` throws
 */
export function compileRepeat(
  repeat: RepeatRules,
  where: string,
  types: ScopeTypes,
): Repeater {
  const { collectionId: id, groupBy } = repeat;
  const read = compileElements(repeat, where, types);
  const passes = compilePasses(repeat, where, types);
  return (scope) => {
    const all = read(scope);
    let elements = all;
    for (const pass of passes) elements = pass(elements, scope, all);
    const { length } = elements;
    return elements.map((item, index) => {
      const group = groupBy && item instanceof Group ? item : null;
      return itemScope(id, scope, item, index, length, group);
    });
  };
}

/** Each key of an object with its value; null for anything else. Keys that are whole numbers come first, by their value. */
function listEntries(value: unknown): readonly unknown[] | null {
  return isRecord(value)
    ? Object.entries(value).map(([key, item]) => ({ key, value: item }))
    : null;
}

function compileElements(
  { path, entries }: RepeatRules,
  where: string,
  types: ScopeTypes,
): (scope: Scope) => readonly unknown[] {
  const { source, node } = parsePath(path);
  const env = {
    source,
    where,
    types,
    reach: "scope",
    ignoresMissing: false,
  } as const;
  const read = compilePathNode(node, env);
  const list = entries ? listEntries : toElements;
  const report = compileInvalidReport(node, entries ? "object" : "list", env);
  return (scope) => {
    const value = read(scope);
    const elements = list(value);
    if (elements) return elements;
    if (!isEmpty(value)) report(scope, value);
    return [];
  };
}

/**
 * Iterations are counted once: for the input of the expensive passes and for the keys of an object, or else for the
 * printed elements.
 */
function compilePasses(
  repeat: RepeatRules,
  where: string,
  types: ScopeTypes,
): Pass[] {
  const { path, entries, filter, sort = [], groupBy } = repeat;
  const setting = { where, path, types: listTypes(repeat, types) };
  const passes: Pass[] = [];
  if (filter) passes.push(filterPass(filter, setting));
  if (sort.length > 0) passes.push(sortPass(sort, setting));
  if (groupBy) passes.push(groupPass(groupBy, setting));
  const slice = slicePass(repeat);
  return entries || passes.length > 0
    ? [spendPass, ...passes, slice]
    : [slice, spendPass];
}

const spendPass: Pass = (elements, { context }) => {
  context.spend(elements.length);
  return elements;
};

function slicePass({ offset = 0, limit }: RepeatRules): Pass {
  const end = limit === undefined ? undefined : offset + limit;
  return (elements) =>
    offset === 0 && end === undefined ? elements : elements.slice(offset, end);
}

/** One step of processing a collection: maps the elements of `scope` to those that remain of `all`. */
type Pass = (
  elements: readonly unknown[],
  scope: Scope,
  all: readonly unknown[],
) => readonly unknown[];

/** The collection, and the types inside its elements, for which a pass is compiled. */
interface PassSetting {
  readonly where: string;
  readonly path: string;
  readonly types: ScopeTypes;
}

/** Evaluates an expression for each element; reports name an element by its index in the whole collection. */
function evaluateEach<T>(
  [elements, scope, all]: Parameters<Pass>,
  { path, types }: PassSetting,
  read: (inner: Scope) => T,
): T[] {
  const { length } = elements;
  const findPath = (index: number) =>
    `${path}[${all.indexOf(elements[index])}]`;
  return elements.map((element, index) =>
    read(itemScope(types.id, scope, element, index, length, null, findPath)),
  );
}

function filterPass(filter: Logic | string, setting: PassSetting): Pass {
  const holds =
    typeof filter === "string"
      ? compileExpressionTest(filter, { ...setting, reach: "item" })
      : compileRules(filter, { ...setting, reach: "item" });
  return (...input) => {
    const results = evaluateEach(input, setting, holds);
    return input[0].filter((_, index) => results[index]);
  };
}

/** Stable. Earlier rules take precedence; values that are empty or not of the type of the rule, which are reported, come last. */
function sortPass(
  rules: NonNullable<RepeatRules["sort"]>,
  setting: PassSetting,
): Pass {
  const columns = rules.map(({ field, type, direction, natural }) => ({
    read: compileField(field, setting, type),
    type,
    sign: direction === "ASC" ? (1 as const) : (-1 as const),
    natural,
  }));
  return (...input) => {
    const { context } = input[1];
    const rows = evaluateEach(input, setting, (inner) => ({
      element: inner.item,
      keys: columns.map(({ read, type }) => {
        const value = read(inner);
        return sortKey(value, type ?? typeOfValue(value), context);
      }),
    }));
    const sorted = rows.toSorted((a, b) =>
      compareRows(a.keys, b.keys, columns, context.locale),
    );
    return sorted.map(({ element }) => element);
  };
}

function typeOfValue(value: unknown): ValueType {
  return typeof value === "number" ? "Number" : "String";
}

function compareRows(
  a: readonly SortKey[],
  b: readonly SortKey[],
  columns: readonly {
    readonly sign: 1 | -1;
    readonly natural: boolean | undefined;
  }[],
  locale: string,
): number {
  let at = 0;
  for (const { sign, natural } of columns) {
    const order = compareKeys(
      a[at] ?? null,
      b[at] ?? null,
      sign,
      locale,
      natural,
    );
    if (order !== 0) return order;
    at++;
  }
  return 0;
}

/** Records with the same key, in their order. The key is that of the first record, or null when it is empty. */
class Group {
  readonly items: unknown[] = [];

  constructor(readonly key: unknown) {}
}

/** Keeps groups in order of appearance, or sorts them by key when there is a direction; the empty group is last. */
function groupPass(groupBy: GroupBy, setting: PassSetting): Pass {
  const read = compileField(groupBy.field, setting);
  const { type = "String", direction, natural } = groupBy;
  return (...input) => {
    const [elements, { context }] = input;
    const keys = evaluateEach(input, setting, read);
    const groups = collect(elements, keys, (key) =>
      identity(key, type, context),
    );
    const order = { type, natural };
    return direction ? inOrder(groups, order, direction, context) : groups;
  };
}

function collect(
  elements: readonly unknown[],
  keys: readonly unknown[],
  identify: (key: unknown) => string,
): Group[] {
  const groups = new Map<string, Group>();
  for (const [index, element] of elements.entries()) {
    const key = keys[index];
    const name = identify(key);
    const group = groups.get(name) ?? new Group(name === "" ? null : key);
    group.items.push(element);
    groups.set(name, group);
  }
  return [...groups.values()];
}

/**
 * Returns the same text for keys that are equal under the type, and an empty one for keys that print nothing. Keys that
 * are not of the type are identified by their text.
 */
function identity(
  key: unknown,
  type: ValueType,
  { timeZone }: MergeContext,
): string {
  const text = toText(key);
  if (text === "") return "";
  const number = type === "Number" ? toNumeric(key) : null;
  if (number !== null) return `number ${numericText(number)}`;
  const dateValue = type === "Date" ? toDateValue(key, timeZone) : null;
  if (dateValue) return `date ${toStartTime(dateValue, timeZone)}`;
  return `text ${text}`;
}

function inOrder(
  groups: readonly Group[],
  { type, natural }: { type: ValueType; natural: boolean | undefined },
  direction: "ASC" | "DESC",
  context: MergeContext,
): Group[] {
  const sign = direction === "ASC" ? 1 : -1;
  return groups
    .map((group) => ({ group, key: sortKey(group.key, type, context) }))
    .toSorted((a, b) =>
      compareKeys(a.key, b.key, sign, context.locale, natural),
    )
    .map(({ group }) => group);
}

/**
 * Compiles the field of a sort or groupBy rule, a path from the element. A missing value is not reported, one that is
 * not of the type is, and so is a date as people write it, which texts do not sort by time.
 */
function compileField(
  field: string,
  { where, types }: PassSetting,
  type?: ValueType,
): Evaluator {
  const { source, node } = parsePath(field);
  const env = {
    source,
    where,
    types,
    reach: "item",
    ignoresMissing: true,
  } as const;
  const read = compilePathNode(node, env);
  if (type !== "String") return compileTypedRead(read, type, node, env);
  const report = compileInvalidReport(node, "date", env);
  return (scope) => {
    const value = read(scope);
    if (isWrittenDate(value)) report(scope, value);
    return value;
  };
}
