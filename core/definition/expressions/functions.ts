import { Decimal } from "decimal.js";
import { type PlatenError, suggestNames } from "../../plugin-api/index.js";
import {
  type CallNode,
  type Node,
  type Expression,
  type PathNode,
  getSourceText,
  parsePath,
  TRANSLATION,
} from "./parse.js";
import { suggestFunction } from "./foreign-syntax.js";
import { bindingError } from "./problem.js";
import type { MergeContext } from "./scope.js";
import { countCharacters, PART_COST } from "./text-parts.js";
import { checkSequence, evaluateSequence } from "./sequences.js";
import {
  compareValues,
  ExactDecimal,
  normalizeDecimal,
  toNumeric,
  calculate,
  sum,
  type Numeric,
  isList,
  concatenate,
  isEmpty,
  toText,
} from "./values.js";
import {
  addUnits,
  fromDayNumber,
  isWrittenDate,
  toDayNumber,
  formatIso,
  toDateValue,
  toUnit,
  unitsBetween,
  UNITS,
} from "./dates.js";

/** @throws PlatenError `invalid_definition` for an unknown function or arguments that it does not take. */
export function resolveFunction(
  node: CallNode,
  source: string,
): FunctionDefinition {
  const { name, args } = node;
  const definition = findFunction(name);
  if (!definition) throw unknownFunction(node, source);
  const { min, max, usage, check } = definition;
  checkCount(node, source, { min, max, usage });
  const message = check?.(args.map(literalOf));
  if (message) throw callError(node, source, `${name}: ${message}`, usage);
  return definition;
}

/** A call of `t`: the key of a text, and the values that are inserted into it. */
export interface TranslationCall {
  readonly key: Node;
  readonly values: readonly { readonly name: string; readonly node: Node }[];
}

const TRANSLATION_USAGE = 't("key", name = value, …)';

/**
 * A value without a name has that of the field that it reads: `t("due", root.days)` passes `days`.
 * @throws PlatenError `invalid_definition` for a call without a key, and for values without names or with equal ones.
 */
export function resolveTranslation(
  node: CallNode,
  source: string,
): TranslationCall {
  const [key, ...values] = node.args;
  const fail = (message: string) =>
    callError(node, source, message, TRANSLATION_USAGE);
  if (!key || node.argNames?.[0] != null)
    throw fail("The first argument of t is the key of a text.");
  const taken = new Set<string>();
  return {
    key,
    values: values.map((value, index) => {
      const name = node.argNames?.[index + 1] ?? findFieldName(value);
      const text = source.slice(value.start, value.end);
      if (name === null)
        throw fail(
          `The value ${text} of t needs a name, as in days = ${text}.`,
        );
      if (taken.has(name)) throw fail(`t has two values named "${name}".`);
      taken.add(name);
      return { name, node: value };
    }),
  };
}

function findFieldName(node: Node): string | null {
  if (node.kind === "filter") return findFieldName(node.input);
  return node.kind === "path" ? (node.keys.at(-1) ?? null) : null;
}

/** The value of a literal argument, which may have a sign; undefined for one that depends on the data. */
export function literalOf(node: Node): unknown {
  if (node.kind === "literal") return node.value;
  if (node.kind !== "unary" || node.operator === "not") return undefined;
  const number = toNumeric(literalOf(node.operand));
  if (number === null) return undefined;
  return node.operator === "-" ? calculate("-", 0, number) : number;
}

/** @throws PlatenError `invalid_definition` when a call has too few or too many arguments. */
function checkCount(
  node: CallNode,
  source: string,
  { min, max, usage }: { min: number; max: number; usage: string },
): void {
  const { length } = node.args;
  if (length >= min && length <= max) return;
  const wanted = min === max ? `${min}` : `${min} to ${max}`;
  const noun = wanted === "1" ? "argument" : "arguments";
  const message = `${node.name} takes ${wanted} ${noun}, not ${length}.`;
  throw callError(node, source, message, usage);
}

function callError(
  node: CallNode,
  source: string,
  message: string,
  usage: string,
): PlatenError {
  const hint = `Write ${usage}.`;
  const column = node.start + 1;
  const expression = source;
  const code = "invalid_arguments";
  return bindingError({ code, message, hint, expression, column });
}

function unknownFunction({ name, start, args }: CallNode, source: string) {
  const written = args.map((argument) => getSourceText(argument, source));
  const knownNames = [...AGGREGATE_NAMES, ...FUNCTION_NAMES, TRANSLATION];
  return bindingError({
    code: "unknown_function",
    message: `Unknown function "${name}".`,
    hint:
      suggestFunction(name, written) ?? suggestNames(name, knownNames, String),
    expression: source,
    column: start + 1,
  });
}

interface FunctionDefinition {
  /** The syntax, for messages: `ROUND(number, digits)`. */
  readonly usage: string;
  readonly min: number;
  readonly max: number;
  /** The indexes of the arguments that must be numbers; anything else is reported and counts as empty. */
  readonly numbers?: readonly number[];
  /** How many of the first arguments must be dates; anything else is reported. */
  readonly dates?: number;
  /** Whether the result is a date, which is compared as one. */
  readonly returnsDate?: boolean;
  /** Whether the elements of a list are counted, and other values are printed. */
  readonly countsLists?: boolean;
  /** Whether missing arguments are not reported. */
  readonly expectsMissing?: boolean;
  /** Whether arguments may be lists, such as `root.lines.name` for all names. */
  readonly takesLists?: boolean;
  /** Whether arguments are printed. Records are reported, since they print nothing. */
  readonly printsArguments?: boolean;
  /** Returns the problem of literal arguments (others are undefined), or null. */
  readonly check?: (literals: readonly unknown[]) => string | null;
  /** `where` is the JSON path of the component, for errors. */
  readonly call: (
    args: readonly unknown[],
    context: MergeContext,
    where: string,
  ) => unknown;
}

const MAX_DIGITS = 20;

/** Rounds to decimal places; a negative number of them rounds to tens, hundreds and so on. */
function rounding(name: string, mode: Decimal.Rounding): FunctionDefinition {
  return {
    usage: `${name}(number, digits)`,
    min: 1,
    max: 2,
    numbers: [0, 1],
    call: ([value, digits]) => round(value, digits, mode),
  };
}

function round(value: unknown, digits: unknown, mode: Decimal.Rounding) {
  const number = toNumeric(value);
  if (number === null) return null;
  const places = Math.trunc(Number(toNumeric(digits) ?? 0));
  const capped = Math.max(-MAX_DIGITS, Math.min(MAX_DIGITS, places));
  const unit = new ExactDecimal(10).pow(-capped);
  return normalizeDecimal(
    new ExactDecimal(number)
      .dividedBy(unit)
      .toDecimalPlaces(0, mode)
      .times(unit),
  );
}

const numberFunctions: Record<string, FunctionDefinition> = {
  /** Rounds half away from zero. */
  ROUND: rounding("ROUND", Decimal.ROUND_HALF_UP),
  CEIL: rounding("CEIL", Decimal.ROUND_CEIL),
  FLOOR: rounding("FLOOR", Decimal.ROUND_FLOOR),
  ABS: {
    usage: "ABS(number)",
    min: 1,
    max: 1,
    numbers: [0],
    call: ([value]) => {
      const number = toNumeric(value);
      return number === null
        ? null
        : normalizeDecimal(new ExactDecimal(number).abs());
    },
  },
};

const ANY_NUMBER = 50;

const textFunctions: Record<string, FunctionDefinition> = {
  /** The number of characters of a text, as readers count them, or of elements of a list; 0 for empty values. */
  LEN: {
    usage: "LEN(text or list)",
    min: 1,
    max: 1,
    takesLists: true,
    countsLists: true,
    call: ([value], context) =>
      isList(value) ? value.length : countCharacters(toText(value), context),
  },
  CONCAT: {
    usage: "CONCAT(value, value, …)",
    min: 1,
    max: ANY_NUMBER,
    printsArguments: true,
    call: (args, context, where) => concatenate(args, where, context),
  },
  /** Joins the elements that print something. */
  JOIN: {
    usage: 'JOIN(list, ", ")',
    min: 1,
    max: 2,
    takesLists: true,
    printsArguments: true,
    check: ([list, ...rest]) =>
      typeof list === "string" && rest.length > 0 && rest[0] === undefined
        ? "The list comes first, and the separator second."
        : null,
    call: ([value, separator = ", "], context, where) => {
      const list = isList(value) ? value : [value];
      context.spend(list.length * PART_COST);
      const printed = list.filter((element) => toText(element) !== "");
      return concatenate(printed, where, context, toText(separator));
    },
  },
  /** The first value that is not empty. */
  COALESCE: {
    usage: "COALESCE(value, value, …)",
    min: 1,
    max: ANY_NUMBER,
    expectsMissing: true,
    call: (args) => args.find((value) => !isEmpty(value)) ?? null,
  },
};

const dateFunctions: Record<string, FunctionDefinition> = {
  /** The current calendar day in the time zone of the definition. */
  TODAY: {
    usage: "TODAY()",
    min: 0,
    max: 0,
    returnsDate: true,
    call: (_args, { now, timeZone }) => {
      const dateValue = { time: now.getTime(), isDay: false };
      return formatIso(fromDayNumber(toDayNumber(dateValue, timeZone)));
    },
  },
  NOW: {
    usage: "NOW()",
    min: 0,
    max: 0,
    returnsDate: true,
    call: (_args, { now }) => now.toISOString(),
  },
  DATE_ADD: {
    usage: 'DATE_ADD(date, number, "days")',
    min: 3,
    max: 3,
    dates: 1,
    numbers: [1],
    returnsDate: true,
    check: checkUnit,
    call: ([value, amount, unitName], { timeZone }) => {
      const dateValue = toDateValue(value, timeZone);
      const number = toNumeric(amount);
      const unit = toUnit(unitName);
      if (!dateValue || number === null || !unit) return null;
      const later = addUnits(dateValue, Number(number), unit, timeZone);
      return later && formatIso(later);
    },
  },
  /** Whole units from the second date to the first; negative when the first one is earlier. */
  DATE_DIFF: {
    usage: 'DATE_DIFF(later, earlier, "days")',
    min: 2,
    max: 3,
    dates: 2,
    check: checkUnit,
    call: ([later, earlier, unitName = "days"], { timeZone }) => {
      const end = toDateValue(later, timeZone);
      const start = toDateValue(earlier, timeZone);
      const unit = toUnit(unitName);
      return end && start && unit && unitsBetween(end, start, unit, timeZone);
    },
  },
};

function checkUnit([, , unit]: readonly unknown[]): string | null {
  if (unit === undefined || toUnit(unit)) return null;
  return `"${toText(unit)}" is not a unit. The units are ${UNITS.map((name) => `${name}s`).join(", ")}.`;
}

const sequenceFunctions: Record<string, FunctionDefinition> = {
  /** The next number of a sequence, without gaps: the same wherever the document prints it. */
  sequence: {
    usage: 'sequence("invoices", "RE-{yyyy}-{0000}")',
    min: 2,
    max: 2,
    check: checkSequence,
    call: ([name, pattern], context) =>
      evaluateSequence(toText(name), toText(pattern), context),
  },
};

const functions: ReadonlyMap<string, FunctionDefinition> = new Map(
  Object.entries({
    ...numberFunctions,
    ...textFunctions,
    ...dateFunctions,
    ...sequenceFunctions,
  }),
);

/** All functions except aggregates. */
export const FUNCTION_NAMES: readonly string[] = [...functions.keys()];

/** The syntax of each with all arguments. */
export const FUNCTION_USAGES: readonly string[] = Array.from(
  functions.values(),
  ({ usage }) => usage,
);

/** Null for aggregates too. */
export function findFunction(name: string): FunctionDefinition | null {
  return functions.get(name) ?? null;
}

/** Returns the path of the collection. @throws PlatenError `invalid_definition` for invalid arguments. */
export function checkAggregateCall(
  node: CallNode,
  source: string,
  { usage, takesField }: Aggregate,
): PathNode {
  const [list] = node.args;
  checkCount(node, source, { min: 1, max: takesField ? 2 : 1, usage });
  if (list?.kind === "path") return list;
  const message = `The first argument of ${node.name} must be the path of a collection.`;
  throw callError(node, source, message, usage);
}

/** Returns the field of an aggregate, which may be quoted or an expression on each element; null when there is none. */
export function aggregateField(
  { args: [, field] }: CallNode,
  source: string,
): Expression | null {
  if (!field) return null;
  if (field.kind !== "literal" || typeof field.value !== "string") {
    return { source, node: field };
  }
  return parsePath(field.value);
}

/** Combines many values into one; empty values are ignored. */
export interface Aggregate {
  readonly usage: string;
  /** COUNT counts records and takes no field. */
  readonly takesField: boolean;
  /** MIN and MAX also compare dates and texts. */
  readonly takesTexts?: boolean;
  /** Calls `onUnusable` when a value is missing (`undefined`) or cannot be used. */
  readonly of: (
    values: readonly unknown[],
    context: MergeContext,
    onUnusable: () => void,
  ) => unknown;
}

const aggregates = new Map<string, Aggregate>([
  ["SUM", { usage: "SUM(path, field)", takesField: true, of: sumValues }],
  ["AVG", { usage: "AVG(path, field)", takesField: true, of: averageValues }],
  [
    "MIN",
    {
      usage: "MIN(path, field)",
      takesField: true,
      takesTexts: true,
      of: extreme(-1),
    },
  ],
  [
    "MAX",
    {
      usage: "MAX(path, field)",
      takesField: true,
      takesTexts: true,
      of: extreme(1),
    },
  ],
  [
    "COUNT",
    { usage: "COUNT(path)", takesField: false, of: (values) => values.length },
  ],
]);

export const AGGREGATE_NAMES: readonly string[] = [...aggregates.keys()];

export const AGGREGATE_USAGES: readonly string[] = Array.from(
  aggregates.values(),
  ({ usage }) => usage,
);

export function findAggregate(name: string): Aggregate | null {
  return aggregates.get(name) ?? null;
}

/** Skips empty values and texts that are not numbers. */
function* numbers(
  values: readonly unknown[],
  onUnusable: () => void,
): Iterable<Numeric> {
  for (const value of values) {
    const number = toNumeric(value);
    if (number !== null) yield number;
    else if (value === undefined || !isEmpty(value)) onUnusable();
  }
}

function sumValues(
  values: readonly unknown[],
  _context: MergeContext,
  onUnusable: () => void,
): Numeric | null {
  return sum(numbers(values, onUnusable));
}

/** Null for no values. */
function averageValues(
  values: readonly unknown[],
  _context: MergeContext,
  onUnusable: () => void,
): Numeric | null {
  const all = [...numbers(values, onUnusable)];
  const total = sum(all);
  return total === null || all.length === 0
    ? null
    : calculate("/", total, all.length);
}

/**
 * The smallest or largest value among numbers, dates and texts; null for no values. Beside a number, nothing but
 * numbers can be used.
 */
function extreme(sign: 1 | -1): Aggregate["of"] {
  return (values, context, onUnusable) => {
    let best: unknown = null;
    let hasNumbers = false;
    let hasOthers = false;
    for (const value of values) {
      if (isEmpty(value)) {
        if (value === undefined) onUnusable();
        continue;
      }
      if (toNumeric(value) === null) hasOthers = true;
      else hasNumbers = true;
      if (isWrittenDate(value)) onUnusable();
      const order = compareValues(value, best, undefined, context);
      if (order === null || order * sign > 0) best = value;
    }
    if (hasNumbers && hasOthers) onUnusable();
    return best;
  };
}
