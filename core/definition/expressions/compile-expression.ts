import { isFalseLiteral } from "../../plugin-api/index.js";
import type { ValueType } from "../schema/data-schema.js";
import type { FilterDefinition, Format } from "./filter-definition.js";
import { resolveFilter } from "./filters.js";
import {
  findAggregate,
  findFunction,
  type Aggregate,
  aggregateField,
  checkAggregateCall,
  resolveFunction,
  resolveTranslation,
  literalOf,
} from "./functions.js";
import { isEpochSeconds, isWrittenDate } from "./dates.js";
import { isUsable, listLeaves, writeStep } from "./invalid-values.js";
import { escapeHtml, isHarmless, safeUrl, writeValue } from "./output.js";
import {
  type CallNode,
  type ConditionalNode,
  type Expression,
  type FilterNode,
  type Node,
  type BinaryNode,
  type UnaryNode,
  getSourceText,
  type PathNode,
  parseExpression,
  hasBraces,
  parseTemplate,
  splitTemplate,
  TRANSLATION,
} from "./parse.js";
import { getProblem, bindingError } from "./problem.js";
import {
  ANY,
  elementTypes,
  resolvePath,
  type Shape,
  traverseShape,
  type OwnProperty,
  type ResolvedPath,
  type PathStart,
  unknownScope,
  type ScopeTypes,
} from "./resolve-path.js";
import {
  itemScope,
  findScope,
  type ExpectedValue,
  type OutputContext,
  type Scope,
  type MergeContext,
} from "./scope.js";
import {
  checkLength,
  calculate,
  type Arithmetic,
  toNumeric,
  type Numeric,
  concatenate,
  containsValue,
  losesPart,
  losesPartOfElement,
  isTrue,
  isEmpty,
  areEqual,
  compareValues,
  toElements,
  isIndex,
  isList,
  toText,
  readKeys,
  readKeysWithGaps,
  isRecord,
  readKey,
} from "./values.js";

/** Prints a template string. For `html`, `attribute` and `url`, literal text is escaped too; for `css` it is not. */
export type TextWriter = (scope: Scope, output: OutputContext) => string;

/** Whether a template string contains no expressions. */
export function isConstantText(source: string): boolean {
  return !hasBraces(source) || splitTemplate(source).inner.length === 0;
}

/** The text of a constant template string, unescaped. */
export function constantText(source: string): string {
  return hasBraces(source) ? splitTemplate(source).literals.join("") : source;
}

/**
 * @param where JSON path of the component, for reports
 * @throws PlatenError `invalid_definition` for what the checker rejects
 */
export function compileText(
  source: string,
  where: string,
  types: ScopeTypes,
): TextWriter {
  const { literals, expressions } = parseTemplate(source);
  const env = { where, types, reach: "scope", ignoresMissing: false } as const;
  const [head = literalText(""), ...tails] = literals.map(literalText);
  const steps = expressions.map((expression, at) => ({
    value: compilePrinted(expression, env),
    tail: tails[at] ?? literalText(""),
  }));
  return (scope, output) => {
    const write = writeValue[output];
    let out = head[output];
    for (const { value, tail } of steps) {
      out += write(value(scope)) + tail[output];
      checkLength(out.length, where);
    }
    return finish(out, output, steps.length === 0);
  };
}

/** A literal part, escaped for each context. */
function literalText(text: string): Readonly<Record<OutputContext, string>> {
  const markup = escapeHtml(text);
  return { html: markup, attribute: markup, url: text, css: text, plain: text };
}

/** URLs and CSS values are checked as a whole because a scheme or function name may be split across parts. */
function finish(
  text: string,
  output: OutputContext,
  isConstant: boolean,
): string {
  if (output === "url") return escapeHtml(safeUrl(text));
  if (output === "css" && !isConstant) return isHarmless(text) ? text : "";
  return text;
}

/** @throws PlatenError `invalid_definition` for what the checker rejects. */
export function compileExpression(
  expression: Expression,
  env: Omit<CompileEnvironment, "source">,
): Evaluator {
  return compileNode(expression.node, { ...env, source: expression.source });
}

function compilePrinted(
  { node, source }: Expression,
  setting: Omit<CompileEnvironment, "source">,
): Evaluator {
  const env = { ...setting, source };
  const read = compileNode(node, env);
  const report = compileLossReport(node, env);
  return (scope) => {
    const value = read(scope);
    if (losesPart(value)) report(scope, value);
    return value;
  };
}

/** Reports a value of which a part is not printed. Filters that take numbers or dates have reported it already. */
function compileLossReport(node: Node, env: CompileEnvironment): InvalidReport {
  let source = node;
  while (source.kind === "filter") {
    if (resolveFilter(source, env.source).takes) return () => {};
    source = source.input;
  }
  return compileInvalidReport(source, "text", env);
}

function compileNode(node: Node, env: CompileEnvironment): Evaluator {
  switch (node.kind) {
    case "literal": {
      const { value } = node;
      return () => value;
    }
    case "path":
      return compilePathNode(node, env);
    case "list": {
      const items = node.items.map((item) => compileNode(item, env));
      return (scope) => items.map((item) => item(scope));
    }
    case "unary":
      return compileUnary(
        node,
        compileNode(node.operand, testing(node, env)),
        env,
      );
    case "binary":
      return compileBinary(
        node,
        compileNode(node.left, testing(node, env)),
        compileNode(node.right, env),
        env,
      );
    case "conditional":
      return compileConditional(node, env);
    case "call":
      return compileCallNode(node, env);
    default:
      return compileFilterNode(node, env);
  }
}

/** `not`, `and` and `or` test whether there is a value, so a missing one is not reported. */
function testing(
  { operator }: { operator: string },
  env: CompileEnvironment,
): CompileEnvironment {
  const isTest = ["not", "and", "or"].includes(operator);
  return isTest ? ignoreMissing(env) : env;
}

function compileConditional(
  { test, value, otherwise }: ConditionalNode,
  env: CompileEnvironment,
): Evaluator {
  const holds = compileNode(test, ignoreMissing(env));
  const yes = compileNode(value, env);
  const no = compileNode(otherwise, env);
  const passes = compileTruth(test, holds, env);
  return (scope) => (passes(scope) ? yes(scope) : no(scope));
}

function compileCallNode(node: CallNode, env: CompileEnvironment): Evaluator {
  if (node.name === TRANSLATION) return compileTranslation(node, env);
  const aggregate = findAggregate(node.name);
  return aggregate
    ? compileAggregate(aggregate, node, env)
    : compileCall(node, env);
}

/** Prints a text of the definition in the language of the document. @throws PlatenError `invalid_definition` */
function compileTranslation(
  node: CallNode,
  env: CompileEnvironment,
): Evaluator {
  const { where } = env;
  const call = resolveTranslation(node, env.source);
  const keyText = compileNode(call.key, env);
  const values = call.values.map(({ name, node: value }) => ({
    name,
    read: compileNode(value, env),
    report: compileInvalidReport(value, "number", env),
  }));
  return (scope) => {
    const { context } = scope;
    const key = toText(keyText(scope));
    if (key === "") return null;
    const translation = context.translations.find(key, context.locale);
    if (!translation || translation.isForeign)
      context.onUntranslated(key, where, translation?.locale ?? null);
    if (!translation) return null;
    const message = context.translations.getMessage(translation.text);
    const passed = new Map(
      values.map(({ name, read }) => [name, read(scope)] as const),
    );
    return message.format(
      passed,
      translation.isForeign ? translation.locale : context.locale,
      (name) =>
        values
          .find((argument) => argument.name === name)
          ?.report(scope, passed.get(name)),
    );
  };
}

function compileFilterNode(
  node: FilterNode,
  env: CompileEnvironment,
): Evaluator {
  const inner = node.name === "default" ? ignoreMissing(env) : env;
  const input = compileNode(node.input, inner);
  const args = node.args.map((arg) => compileNode(arg, env));
  return compileFilter(node, input, args, env);
}

// These functions return raw values: undefined when the data has no such value, null when it is empty. They report
// missing values under `where`, the JSON path of the component, and throw PlatenError `invalid_definition` for what the
// checker rejects.

/** Compiles an expression without braces. */
export function compileValue(
  source: string,
  where: string,
  types: ScopeTypes,
): Evaluator {
  const env = { where, types, reach: "scope", ignoresMissing: false } as const;
  return compileExpression(parseExpression(source), env);
}

/** Compiles an expression whose paths start at the innermost element, such as the label of a chart. */
export function compileField(
  source: string,
  where: string,
  types: ScopeTypes,
): Evaluator {
  const env = { where, types, reach: "item", ignoresMissing: false } as const;
  return compileExpression(parseExpression(source), env);
}

/** Compiles an expression for a number, or a list of one; anything else is reported and null. */
export function compileNumberValue(
  source: string,
  where: string,
  types: ScopeTypes,
  reach: "scope" | "item",
): (scope: Scope) => number | null {
  const { node } = parseExpression(source);
  const env = { source, where, types, reach, ignoresMissing: false } as const;
  const read = compileNode(node, env);
  const report = compileInvalidReport(node, "number", env);
  return (scope) => {
    const value = read(scope);
    const number = toNumeric(isList(value) ? toText(value) : value);
    if (number === null && !isEmpty(value)) report(scope, value);
    return number === null ? null : Number(number);
  };
}

/** `or` and `and` return the operand that decided, as in `root.name or "none"`. */
function compileBinary(
  node: BinaryNode,
  left: Evaluator,
  right: Evaluator,
  env: CompileEnvironment,
): Evaluator {
  const { operator } = node;
  switch (operator) {
    case "or":
      return (scope) => {
        const value = left(scope);
        return isTrue(value) ? value : right(scope);
      };
    case "and": {
      const passes = compileTruthTest(node.left, env);
      return (scope) => {
        const value = left(scope);
        return passes(scope, value) ? right(scope) : value;
      };
    }
    case "contains": {
      const report = compileLossReport(node.left, env);
      const type = findComparedType([node.left, node.right], env);
      return (scope) => {
        const [value, part] = [left(scope), right(scope)];
        const contains = containsValue(value, part, type, scope.context);
        if (!contains && losesPartOfElement(value)) report(scope, value);
        return contains;
      };
    }
    case "in":
      return compileMembership(node, left, right, env);
    case "~":
      return compileJoin(node, left, right, env);
    case "+":
    case "-":
    case "*":
    case "/":
    case "%":
      return compileArithmetic(operator, node, left, right, env);
    default:
      return compileComparison(operator, node, left, right, env);
  }
}

function compileJoin(
  node: BinaryNode,
  left: Evaluator,
  right: Evaluator,
  env: CompileEnvironment,
): Evaluator {
  const reportLeft = compileLossReport(node.left, env);
  const reportRight = compileLossReport(node.right, env);
  return (scope) => {
    const [a, b] = [left(scope), right(scope)];
    if (losesPart(a)) reportLeft(scope, a);
    if (losesPart(b)) reportRight(scope, b);
    return concatenate([a, b], env.where, scope.context);
  };
}

/**
 * Whether a value equals an element of a list, as the operator of rules decides. A single value, which may be a list in
 * a text, is reported unless it is equal.
 */
function compileMembership(
  node: BinaryNode,
  left: Evaluator,
  right: Evaluator,
  env: CompileEnvironment,
): Evaluator {
  const report = compileInvalidReport(node.right, "list", env);
  const reportSeveral = compileInvalidReport(node.left, "single", env);
  const type = findComparedType([node.left, node.right], env);
  return (scope) => {
    const [value, list] = [left(scope), right(scope)];
    if (isEmpty(list)) return false;
    const { context } = scope;
    const elements = isList(list) ? list : [list];
    context.spend(elements.length);
    const isElement = elements.some((element) =>
      areEqual(element, value, type, context),
    );
    if (isElement) return true;
    if (!isList(list)) report(scope, list);
    if (isSeveral(value)) reportSeveral(scope, value);
    return false;
  };
}

function compileUnary(
  node: UnaryNode,
  operand: Evaluator,
  env: CompileEnvironment,
): Evaluator {
  if (node.operator === "not") {
    const passes = compileTruth(node.operand, operand, env);
    return (scope) => !passes(scope);
  }
  return compileSign(node.operator, node.operand, operand, env);
}

type Comparison = "=" | "!=" | "<" | "<=" | ">" | ">=";

/**
 * Dates are compared as dates. What has another order than it seems to have is compared as text, which is reported: a
 * text beside a number, or a date as people write it.
 */
function compileComparison(
  operator: Comparison,
  node: BinaryNode,
  left: Evaluator,
  right: Evaluator,
  env: CompileEnvironment,
): Evaluator {
  const holds = COMPARISONS[operator];
  if (findComparedType([node.left, node.right], env) === "Date") {
    const leftDate = compileTypedRead(left, "Date", node.left, env);
    const rightDate = compileTypedRead(right, "Date", node.right, env);
    return (scope) =>
      holds(leftDate(scope), rightDate(scope), scope.context, "Date");
  }
  const reportSeveral = compileSeveralReport(
    compileInvalidReport(node.left, "single", env),
    compileInvalidReport(node.right, "single", env),
  );
  if (operator === "=" || operator === "!=") {
    const reportMixed = reportsMixed(
      compileInvalidReport(node.left, "boolean", env),
      compileInvalidReport(node.right, "boolean", env),
    );
    return (scope) => {
      const [a, b] = [left(scope), right(scope)];
      reportMixed(scope, a, b);
      reportSeveral(scope, a, b);
      return holds(a, b, scope.context);
    };
  }
  const reportLeft = compileInvalidReport(node.left, "number", env);
  const reportRight = compileInvalidReport(node.right, "number", env);
  const reportLeftDate = compileInvalidReport(node.left, "date", env);
  const reportRightDate = compileInvalidReport(node.right, "date", env);
  return (scope) => {
    const a = left(scope);
    const b = right(scope);
    if (typeof a === typeof b) {
      if (isWrittenDate(a)) reportLeftDate(scope, a);
      if (isWrittenDate(b)) reportRightDate(scope, b);
    } else if (isNotNumeric(a) && toNumeric(b) !== null) reportLeft(scope, a);
    else if (isNotNumeric(b) && toNumeric(a) !== null) reportRight(scope, b);
    else reportSeveral(scope, a, b);
    return holds(a, b, scope.context);
  };
}

/** The type of values that are compared: dates if one is declared as such, or by the values themselves. */
export function findComparedType(
  nodes: readonly Node[],
  env: CompileEnvironment,
): "Date" | undefined {
  const items = nodes.flatMap((node) =>
    node.kind === "list" ? node.items : [node],
  );
  const sources = items.flatMap((item) => [...listSources(item)]);
  const isDate = sources.some((source) => readsDate(source, env));
  return isDate ? "Date" : undefined;
}

function readsDate(node: Node, env: CompileEnvironment): boolean {
  if (node.kind === "call" && findFunction(node.name)?.returnsDate) return true;
  const path =
    node.kind === "path" ? resolvePath(node, env.types, env.reach) : null;
  const shape = path ? traverseShape(path).shape : findShape(node, env);
  return shape.kind === "scalar" && shape.type === "Date";
}

/** Reports several values that are compared as a single one: their text is all of them. */
export function compileSeveralReport(
  reportLeft: InvalidReport,
  reportRight: InvalidReport,
): (scope: Scope, left: unknown, right: unknown) => void {
  return (scope, left, right) => {
    if (isSeveral(left) === isSeveral(right)) return;
    if (isEmpty(left) || isEmpty(right)) return;
    if (areEqual(left, right, undefined, scope.context)) return;
    if (isSeveral(left)) reportLeft(scope, left);
    else reportRight(scope, right);
  };
}

export function isSeveral(value: unknown): value is readonly unknown[] {
  return isList(value) && value.length > 1;
}

function isNotNumeric(value: unknown): boolean {
  return !isEmpty(value) && toNumeric(value) === null;
}

type Test = (
  a: unknown,
  b: unknown,
  context: MergeContext,
  type?: ValueType,
) => boolean;

/** Comparisons with an empty value are false. */
const COMPARISONS: Record<Comparison, Test> = {
  "=": (a, b, context, type) => areEqual(a, b, type, context),
  "!=": (a, b, context, type) => !areEqual(a, b, type, context),
  "<": ordered((order) => order < 0),
  "<=": ordered((order) => order <= 0),
  ">": ordered((order) => order > 0),
  ">=": ordered((order) => order >= 0),
};

function ordered(holds: (order: number) => boolean): Test {
  return (a, b, context, type) => {
    const order = compareValues(a, b, type, context);
    return order !== null && holds(order);
  };
}

/**
 * An empty operand is ignored in a sum or difference and makes any other result empty. An operand that is not a number
 * is reported and counts as empty; a division by zero is reported.
 */
function compileArithmetic(
  operator: Arithmetic,
  node: BinaryNode,
  left: Evaluator,
  right: Evaluator,
  env: CompileEnvironment,
): Evaluator {
  const leftNumber = compileNumber(node.left, left, env);
  const rightNumber = compileNumber(node.right, right, env);
  const reportDivisor = compileInvalidReport(node.right, "divisor", env);
  const reportResult = compileInvalidReport(node, "result", env);
  return (scope) => {
    const a = leftNumber(scope);
    const b = rightNumber(scope);
    if (a === null || b === null) return withoutOne(operator, a, b);
    const result = calculate(operator, a, b);
    if (result !== null) return result;
    if (Number(b) === 0) reportDivisor(scope, b);
    else reportResult(scope, result);
    return result;
  };
}

function withoutOne(
  operator: Arithmetic,
  a: Numeric | null,
  b: Numeric | null,
): Numeric | null {
  if (operator === "+") return a ?? b;
  if (operator !== "-") return null;
  return b === null ? a : calculate("-", 0, b);
}

function compileSign(
  sign: "+" | "-",
  node: Node,
  operand: Evaluator,
  env: CompileEnvironment,
): Evaluator {
  const number = compileNumber(node, operand, env);
  if (sign === "+") return number;
  return (scope) => {
    const value = number(scope);
    return value === null ? null : calculate("-", 0, value);
  };
}

/** Reads the operand as a number; a value that is neither a number nor empty is reported. */
function compileNumber(
  node: Node,
  operand: Evaluator,
  env: CompileEnvironment,
): (scope: Scope) => Numeric | null {
  const report = compileInvalidReport(node, "number", env);
  return (scope) => {
    const value = operand(scope);
    const number = toNumeric(value);
    if (number === null && !isEmpty(value)) report(scope, value);
    return number;
  };
}

/** Reports a value that is not of the type: of a number or date, since any value is a text. Values pass unchanged. */
export function compileTypedRead(
  read: Evaluator,
  type: ValueType | undefined,
  node: Node,
  env: CompileEnvironment,
): Evaluator {
  if (type !== "Number" && type !== "Date") return read;
  const expected = type === "Number" ? "number" : "date";
  const report = compileInvalidReport(node, expected, env);
  return (scope) => {
    const value = read(scope);
    const isNumber = type === "Number" && typeof value === "number";
    if (!isNumber && !isUsable(value, expected, scope.context.timeZone))
      report(scope, value);
    return value;
  };
}

/** Whether a value is true as a condition. Any text is, so that the FALSE of a spreadsheet is reported. */
function compileTruthTest(
  node: Node,
  env: CompileEnvironment,
): (scope: Scope, value: unknown) => boolean {
  const report = compileInvalidReport(node, "boolean", env);
  return (scope, value) => {
    if (typeof value === "string" && isFalseLiteral(value))
      report(scope, value);
    return isTrue(value);
  };
}

export function compileTruth(
  node: Node,
  read: Evaluator,
  env: CompileEnvironment,
): (scope: Scope) => boolean {
  const passes = compileTruthTest(node, env);
  return (scope) => passes(scope, read(scope));
}

/** Reports what is compared with true or false and is neither, such as the text "no". */
export function reportsMixed(
  reportLeft: InvalidReport,
  reportRight?: InvalidReport,
): (scope: Scope, left: unknown, right: unknown) => void {
  return (scope, left, right) => {
    if (typeof left === typeof right) return;
    if (typeof right === "boolean" && isNoBoolean(left))
      reportLeft(scope, left);
    if (typeof left === "boolean" && isNoBoolean(right))
      reportRight?.(scope, right);
  };
}

/** The texts `true` and `false` equal the booleans. */
function isNoBoolean(value: unknown): boolean {
  return !isEmpty(value) && value !== "true" && value !== "false";
}

/** Whether a node reads a field that is declared as yes or no. */
export function readsBoolean(node: Node, env: CompileEnvironment): boolean {
  const shape = findShape(node, env);
  return shape.kind === "scalar" && shape.type === "Boolean";
}

type InvalidReport = (scope: Scope, value: unknown) => void;

/**
 * Reports a value that the expression cannot use. A value that the template itself provides (a literal, as in a
 * `default`) is no invalid data, and one that does not fit its declared type is reported by the check of the data.
 */
export function compileInvalidReport(
  node: Node,
  expected: ExpectedValue,
  env: CompileEnvironment,
): InvalidReport {
  const path = compilePathText(node, env);
  const sources = [...listSources(node)];
  const literals = sources.map(literalOf);
  const shapes = sources.map((source) => findShape(source, env));
  return (scope, value) => {
    const { context } = scope;
    const isKnown =
      (typeof value === "string" && literals.includes(value)) ||
      shapes.some((shape) => violatesShape(value, shape, context.timeZone));
    if (!isKnown) context.onInvalid(path(scope), env.where, expected, value);
  };
}

/** The nodes of which one provides the value of an expression unchanged. */
export function* listSources(node: Node): Iterable<Node> {
  if (node.kind === "conditional") {
    yield* listSources(node.value);
    yield* listSources(node.otherwise);
  } else if (
    node.kind === "binary" &&
    (node.operator === "or" || node.operator === "and")
  ) {
    yield* listSources(node.left);
    yield* listSources(node.right);
  } else if (node.kind === "call" && node.name === "COALESCE") {
    for (const arg of node.args) yield* listSources(arg);
  } else if (node.kind === "filter" && node.name === "default") {
    yield* listSources(node.input);
    for (const arg of node.args) yield* listSources(arg);
  } else {
    yield node;
  }
}

/** The declared shape of the values of a path, or of those that MIN and MAX choose from. */
function findShape(node: Node, env: CompileEnvironment): Shape {
  if (node.kind === "path") {
    const path = resolvePath(node, env.types, env.reach);
    const traversal = path && traverseShape(path);
    return traversal && traversal.crossing < 0 ? traversal.shape : ANY;
  }
  if (node.kind !== "call" || !findAggregate(node.name)?.takesField) return ANY;
  const [list] = node.args;
  if (list?.kind !== "path") return ANY;
  return findElementShape(findAggregatePath(node, list, env));
}

/** The declared shape of one of the values that an aggregate reads. */
function findElementShape(path: ResolvedPath | null): Shape {
  if (path === null) return ANY;
  const { shape } = traverseShape(path);
  return shape.kind === "many" ? { ...shape, kind: "one" } : shape;
}

/** Whether the check of the data against its schema reports the value. */
function violatesShape(
  value: unknown,
  shape: Shape,
  timeZone: string,
): boolean {
  if (shape.kind === "any") return false;
  if (shape.kind === "one") return !isRecord(value);
  if (shape.kind === "many") return !isList(value);
  if (shape.type === "Number") return !isUsable(value, "number", timeZone);
  if (shape.type === "Date") return !isUsable(value, "date", timeZone);
  if (shape.type === "Boolean") return !isUsable(value, "boolean", timeZone);
  return isRecord(value);
}

/** The text of the node for reports; inside an aggregate, a path starts at the element, as in `root.lines[0].price`. */
function compilePathText(
  node: Node,
  { source, types, reach }: CompileEnvironment,
): (scope: Scope) => string {
  const text = getSourceText(node, source);
  if (reach === "scope") return () => text;
  if (node.kind !== "path") {
    return ({ findPath, index }) =>
      findPath ? `${text} (of ${findPath(index)})` : text;
  }
  if (resolvePath(node, types, reach)?.start.from !== "item") return () => text;
  const steps = node.keys.map(writeStep).join("");
  return ({ findPath, index }) => (findPath ? findPath(index) + steps : text);
}

/** @throws PlatenError `invalid_definition` for an unknown function or wrong arguments. */
function compileCall(node: CallNode, env: CompileEnvironment): Evaluator {
  const definition = resolveFunction(node, env.source);
  const inner = definition.expectsMissing ? ignoreMissing(env) : env;
  const args = node.args.map((arg, at) => {
    const value = compileNode(arg, inner);
    const isNumber = definition.numbers?.includes(at) ?? false;
    return isNumber ? compileNumber(arg, value, env) : value;
  });
  const { dates: dateCount, printsArguments, countsLists } = definition;
  const isLossy = definition.takesLists ? losesPartOfElement : losesPart;
  if (dateCount === undefined) {
    const lossReports =
      printsArguments || countsLists
        ? node.args.map((arg) => compileLossReport(arg, env))
        : [];
    return (scope) => {
      const values = args.map((arg) => arg(scope));
      for (const [at, report] of lossReports.entries()) {
        const value = values[at];
        const isCounted = countsLists && isList(value);
        if (!isCounted && isLossy(value)) report(scope, value);
      }
      return definition.call(values, scope.context, env.where);
    };
  }
  const reports = node.args
    .slice(0, dateCount)
    .map((arg) => compileInvalidReport(arg, "date", env));
  const unit = node.args[2];
  const reportUnit = unit && compileInvalidReport(unit, "unit", env);
  const reportResult = compileInvalidReport(node, "result", env);
  return (scope) => {
    const values = args.map((arg) => arg(scope));
    const result = definition.call(values, scope.context, env.where);
    let isExplained = result !== null || values.some(isEmpty);
    for (const [at, report] of reports.entries()) {
      const value = values[at];
      const isSuspect = result === null || isEpochSeconds(value);
      if (isSuspect && !isUsable(value, "date", scope.context.timeZone)) {
        report(scope, value);
        isExplained = true;
      }
    }
    if (isExplained) return result;
    if (definition.check?.(values)) reportUnit?.(scope, values[2]);
    else reportResult(scope, result);
    return result;
  };
}

/** @throws PlatenError `invalid_definition` for an unknown filter or wrong arguments. */
function compileFilter(
  node: FilterNode,
  input: Evaluator,
  args: readonly Evaluator[],
  env: CompileEnvironment,
): Evaluator {
  const definition = resolveFilter(node, env.source);
  const { takes, takesLists } = definition;
  const report = takes && compileInvalidReport(node.input, takes, env);
  const reportLoss = compileLossReport(node.input, env);
  const isLossy = takesLists ? losesPartOfElement : losesPart;
  const format = node.args.every(({ kind }) => kind === "literal")
    ? definition.bind(node.args.map(literalOf))
    : null;
  const bindLate = compileLateBinding(definition, node, args, env);
  return (scope) => {
    const value = input(scope);
    if (!definition.takesEmpty && isEmpty(value)) return value;
    const apply = format ?? bindLate(scope);
    const { context } = scope;
    const result = apply(value, context, env.where);
    if (takes === undefined) {
      const isKept =
        result === value || result === true || (takesLists && isList(result));
      if (!isKept && isLossy(value)) reportLoss(scope, value);
      return result;
    }
    const isSuspect =
      result === value || (takes === "date" && isEpochSeconds(value));
    if (isSuspect && !isUsable(value, takes, context.timeZone))
      report?.(scope, value);
    return result;
  };
}

/** Arguments from the data may be invalid, which is reported. The value then prints unformatted. */
function compileLateBinding(
  definition: FilterDefinition,
  node: FilterNode,
  args: readonly Evaluator[],
  env: CompileEnvironment,
): (scope: Scope) => Format {
  const { counts = 0, needsArgument = false } = definition;
  const reports = node.args.map((arg, index) =>
    compileInvalidReport(arg, index < counts ? "count" : "argument", env),
  );
  const isFirstRead = node.args[0]?.kind !== "literal";
  return (scope) => {
    const values = args.map((arg) => arg(scope));
    const [first] = values;
    const isMissing = first === undefined || first === null;
    if (needsArgument && isFirstRead && isMissing) {
      if (first === null) reports[0]?.(scope, first);
      return unchanged;
    }
    try {
      return definition.bind(values);
    } catch (error) {
      getProblem(error);
      const at = values.findIndex((_, index) =>
        isRejected(definition, values, index),
      );
      reports[at]?.(scope, values[at]);
      return unchanged;
    }
  };
}

const unchanged: Format = (value) => value;

/** Whether the filter rejects this argument even with defaults for all others. */
function isRejected(
  definition: FilterDefinition,
  values: readonly unknown[],
  index: number,
): boolean {
  try {
    definition.bind(
      values.map((value, at) => (at === index ? value : undefined)),
    );
    return false;
  } catch {
    return true;
  }
}

/** @throws PlatenError `invalid_definition` for wrong arguments. */
function compileAggregate(
  aggregate: Aggregate,
  node: CallNode,
  env: CompileEnvironment,
): Evaluator {
  const list = checkAggregateCall(node, env.source, aggregate);
  const readList = compileList(list, aggregate, env);
  if (!aggregate.takesField) return (scope) => readList(scope).length;
  const field = compileAggregateField(aggregate, node, list, env);
  const report = compileAggregateReport(aggregate, list, field, env);
  const compute: Evaluator = (scope) => {
    const elements = readList(scope);
    scope.context.spend(elements.length);
    const values = flattened(field.read(elements, scope), scope);
    let isFlawed = false;
    const result = aggregate.of(values, scope.context, () => {
      isFlawed = true;
    });
    if (isFlawed) report(scope);
    return result;
  };
  const owner = field.keys ? outerScope(list, env) : null;
  return owner === null ? compute : oncePerScope(compute, owner);
}

/** Reads the elements; `undefined` stands for a record on the way that has no such field, except for COUNT. */
function compileList(
  list: PathNode,
  { takesField }: Aggregate,
  env: CompileEnvironment,
): (scope: Scope) => readonly unknown[] {
  const read = compilePathNode(list, env, takesField);
  const report = compileInvalidReport(list, "list", env);
  return (scope) => {
    const value = read(scope);
    const elements = toElements(value);
    if (elements === null && !isEmpty(value)) report(scope, value);
    return elements ?? [];
  };
}

/** A field that crosses a collection has several values per element. */
function flattened(values: readonly unknown[], scope: Scope) {
  if (!values.some(isList)) return values;
  const all = values.flat();
  scope.context.spend(all.length);
  return all;
}

interface AggregateField {
  read(elements: readonly unknown[], scope: Scope): readonly unknown[];
  /** What is read from each element; null for an expression, which may also depend on the enclosing scopes. */
  readonly keys: readonly string[] | null;
  /** The declared shape of the values. */
  readonly shape: Shape;
}

/** Reads the field of each element, or the elements themselves when there is no field. */
function compileAggregateField(
  { takesTexts }: Aggregate,
  node: CallNode,
  list: PathNode,
  env: CompileEnvironment,
): AggregateField {
  const path = findAggregatePath(node, list, env);
  const shape = findElementShape(path);
  const field = aggregateField(node, env.source);
  if (!field) return { read: (elements) => elements, keys: [], shape };
  if (path) return itemField(path.keys, shape);
  const types = elementTypes(list, env.types, env.reach, "");
  const { source, node: inner } = field;
  const inside = { ...env, source, types, reach: "item" } as const;
  const value = compileNode(inner, inside);
  const report = compileInvalidReport(inner, "number", inside);
  const checked: Evaluator = (scope) => {
    const result = value(scope);
    if (typeof result === "number") return result;
    const isNumber =
      isEmpty(result) || isList(result) || toNumeric(result) !== null;
    if (!isNumber) report(scope, result);
    return result;
  };
  return scopedField(
    takesTexts ? value : checked,
    compileElementPaths(list, env),
  );
}

/** The path that an aggregate reads from each element, or its list when there is no field; null for an expression. */
function findAggregatePath(
  node: CallNode,
  list: PathNode,
  env: CompileEnvironment,
): ResolvedPath | null {
  const field = aggregateField(node, env.source);
  if (!field) return resolvePath(list, env.types, env.reach);
  if (field.node.kind !== "path") return null;
  const types = elementTypes(list, env.types, env.reach, "");
  const path = resolvePath(field.node, types, "item");
  return path?.start.from === "item" ? path : null;
}

/** Elements without a key would shift the indexes of a list. */
function findReader(keys: readonly string[]): typeof readKeys {
  return keys.length === 0 || keys.some(isIndex) ? readKeys : readKeysWithGaps;
}

function itemField(keys: readonly string[], shape: Shape): AggregateField {
  const read = findReader(keys);
  return {
    read: (elements, { context }) =>
      elements.map((element) => read(element, keys, context)),
    keys,
    shape,
  };
}

/** Evaluates an expression on each element, which may also read the enclosing scopes. */
function scopedField(
  value: Evaluator,
  elementPaths: (scope: Scope) => readonly string[],
): AggregateField {
  return {
    read: (all, scope) => {
      const elements = all.includes(undefined)
        ? all.filter((element) => element !== undefined)
        : all;
      let paths: readonly string[] | null = null;
      const findPath = (index: number) =>
        (paths ??= elementPaths(scope))[index] ?? "";
      return elements.map((element, index) =>
        value(
          itemScope("", scope, element, index, elements.length, null, findPath),
        ),
      );
    },
    keys: null,
    shape: ANY,
  };
}

/** Where the reading of a path starts, for reports. */
function compileStart(
  node: PathNode,
  env: CompileEnvironment,
): { read: Evaluator; text: (scope: Scope) => string; keys: string[] } {
  const path = resolvePath(node, env.types, env.reach);
  if (!path) throw bindingError(unknownScope(node, env.source, env.types));
  const keys = path.start.from === "name" ? [] : [...path.keys];
  const first = node.keys.slice(0, node.keys.length - keys.length);
  const isItem = path.start.from === "item";
  const [head = "", ...steps] = first;
  const text = head + steps.map(writeStep).join("");
  return {
    read: startReading(path.start),
    text: ({ findPath, index }) => {
      if (!isItem) return text;
      return findPath ? findPath(index) : "";
    },
    keys,
  };
}

/** The paths of the elements of a list, in their order. */
function compileElementPaths(
  list: PathNode,
  env: CompileEnvironment,
): (scope: Scope) => readonly string[] {
  const start = compileStart(list, env);
  return (scope) => {
    const value = start.read(scope);
    const leaves = listLeaves(
      value,
      start.text(scope),
      start.keys,
      scope.context,
    );
    return Array.from(leaves)
      .filter((leaf) => leaf.value !== undefined)
      .map(({ path }) => path);
  };
}

const MAX_REPORTS = 20;

/**
 * Finds and reports the values of an aggregate that are missing or cannot be used. Texts and dates can be compared with
 * each other, but not with numbers.
 */
function compileAggregateReport(
  { takesTexts = false }: Aggregate,
  list: PathNode,
  field: AggregateField,
  env: CompileEnvironment,
): (scope: Scope) => void {
  const { keys: fieldKeys, shape } = field;
  if (fieldKeys === null) return () => {}; // Its expression reports what it reads.
  const start = compileStart(list, env);
  const keys = [...start.keys, ...fieldKeys];
  return (scope) => {
    const { context } = scope;
    const { timeZone } = context;
    let [missing, invalid] = [0, 0];
    const value = start.read(scope);
    const leaves = [...listLeaves(value, start.text(scope), keys, context)];
    const needsNumbers =
      !takesTexts || leaves.some((leaf) => toNumeric(leaf.value) !== null);
    for (const { path, value: leaf } of leaves) {
      if (leaf === undefined) {
        missing += 1;
        if (missing <= MAX_REPORTS && !env.ignoresMissing)
          context.onMissing(path, env.where);
      } else if (
        needsNumbers &&
        !isUsable(leaf, "number", timeZone) &&
        !violatesShape(leaf, shape, timeZone)
      ) {
        invalid += 1;
        if (invalid <= MAX_REPORTS)
          context.onInvalid(path, env.where, "number", leaf);
      } else if (isWrittenDate(leaf) && !violatesShape(leaf, shape, timeZone)) {
        invalid += 1;
        if (invalid <= MAX_REPORTS)
          context.onInvalid(path, env.where, "date", leaf);
      }
    }
  };
}

/** The outer scope that the list is read from; null for the innermost scope. */
function outerScope(list: PathNode, env: CompileEnvironment): string | null {
  const start = resolvePath(list, env.types, env.reach)?.start;
  return start?.from === "scope" && start.id !== env.types.id ? start.id : null;
}

/** An aggregate over an outer scope is the same for every element inside it, so it is computed once. */
function oncePerScope(compute: Evaluator, id: string): Evaluator {
  const results = new WeakMap<Scope, unknown>();
  return (scope) => {
    const owner = findScope(scope, id) ?? scope;
    if (!results.has(owner)) results.set(owner, compute(scope));
    return results.get(owner);
  };
}

/** @throws PlatenError `invalid_definition` when the path starts with an unknown scope. */
export function compilePathNode(
  node: PathNode,
  env: CompileEnvironment,
  keepsMissing = false,
): Evaluator {
  const path = resolvePath(node, env.types, env.reach);
  if (!path) {
    throw bindingError(unknownScope(node, env.source, env.types));
  }
  const read = chargeLongTexts(
    continueReading(startReading(path.start), path, keepsMissing),
  );
  return env.ignoresMissing ? read : reportMissing(read, node, env);
}

const CHARACTERS_PER_ITERATION = 1000;

/** Long texts cost time wherever they are used, so they count as iterations and the limit bounds that time too. */
function chargeLongTexts(read: Evaluator): Evaluator {
  return (scope) => {
    const value = read(scope);
    if (typeof value === "string" && value.length > CHARACTERS_PER_ITERATION) {
      const iterations = Math.floor(value.length / CHARACTERS_PER_ITERATION);
      scope.context.spend(iterations);
    }
    return value;
  };
}

function reportMissing(
  read: Evaluator,
  node: PathNode,
  env: CompileEnvironment,
): Evaluator {
  const { where } = env;
  const path = compilePathText(node, env);
  return (scope) => {
    const value = read(scope);
    if (value === undefined) scope.context.onMissing(path(scope), where);
    return value;
  };
}

/** A single key is by far the most common case, so it avoids the loop. */
function continueReading(
  start: Evaluator,
  path: { start: PathStart; keys: readonly string[] },
  keepsMissing: boolean,
): Evaluator {
  const { keys } = path;
  const [only] = keys;
  if (only === undefined || path.start.from === "name") return start;
  if (keepsMissing) {
    const read = findReader(keys);
    return (scope) => read(start(scope), keys, scope.context);
  }
  if (keys.length > 1) {
    return (scope) => readKeys(start(scope), keys, scope.context);
  }
  return (scope) => readKey(start(scope), only, scope.context);
}

function startReading(start: PathStart): Evaluator {
  switch (start.from) {
    case "item":
      return (scope) => scope.item;
    case "scope":
      return (scope) => findScope(scope, start.id)?.item;
    case "own":
      return (scope) => ownProperty(findScope(scope, start.id), start.property);
    case "itself":
      return (scope) => readItself(findScope(scope, start.id), start.reach);
    default:
      return (scope) => readName(scope, start);
  }
}

function ownProperty(scope: Scope | null, property: OwnProperty): unknown {
  if (!scope) return undefined;
  return property === "number" ? scope.index + 1 : scope[property];
}

/**
 * In a list of texts, `tag` means the element. In records without declared fields, it means their field `tag`; a record
 * without that field is returned itself, but has no value in a sort or filter rule.
 */
function readItself(scope: Scope | null, reach: "scope" | "item"): unknown {
  if (!scope || !isRecord(scope.item)) return scope?.item;
  const field = readKey(scope.item, scope.id, scope.context);
  return field === undefined && reach === "scope" ? scope.item : field;
}

/** Reads the name from the innermost of the scopes that has it. */
function readName(
  scope: Scope,
  { name, scopes }: Extract<PathStart, { from: "name" }>,
): unknown {
  for (const id of scopes) {
    const owner = findScope(scope, id);
    const value = owner ? readKey(owner.item, name, scope.context) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

/** A compiled expression. It returns undefined when the data has no such value and null when it is empty. */
export type Evaluator = (scope: Scope) => unknown;

interface CompileEnvironment {
  /** The text of the expression, for reports. */
  readonly source: string;
  /** JSON path of the component. */
  readonly where: string;
  readonly types: ScopeTypes;
  /** Where paths start; see `resolvePath`. */
  readonly reach: "scope" | "item";
  /** A missing value is expected (in a test or default) and not reported. */
  readonly ignoresMissing: boolean;
}

function ignoreMissing(env: CompileEnvironment): CompileEnvironment {
  return env.ignoresMissing ? env : { ...env, ignoresMissing: true };
}
