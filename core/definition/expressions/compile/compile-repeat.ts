import type {
  Repeat,
  Logic,
  SortRule,
  GroupBy,
  ValueType,
} from "../../schema/data-schema.js";
import { parsePath } from "../parse/parse-expression.js";
import { elementTypes } from "../resolve-path.js";
import type { ScopeTypes } from "../scope-types.js";
import { itemScope } from "../scope.js";
import type { Scope, MergeContext } from "../types.js";
import { toStartTime, toDateValue } from "../values/dates.js";
import { numericText, toNumeric } from "../values/numbers.js";
import { compareKeys, sortKey, type SortKey } from "../values/compare.js";
import { toElements } from "../values/read-data.js";
import { toText } from "../values/text.js";
import { compileRules } from "./compile-logic.js";
import { compilePathNode, type Evaluator } from "./compile-path.js";

/** The scopes of a collection's elements, or of its groups, in the order in which they are printed. */
export type Repeater = (scope: Scope) => Scope[];

/**
 * Filter, then sort, then groupBy, then offset and limit. A path to one object repeats once, an empty value never;
 * any other value is reported as missing.
 * @throws PlatenError `invalid_definition` for what the checker refuses; when it runs, what `spend` throws
 */
export function compileRepeat(
  repeat: Repeat,
  where: string,
  types: ScopeTypes,
): Repeater {
  const { collectionId: id, groupBy } = repeat;
  const read = compileElements(repeat, where, types);
  const passes = compilePasses(repeat, where, types);
  return (scope) => {
    let elements = read(scope);
    for (const pass of passes) elements = pass(elements, scope);
    const { length } = elements;
    return elements.map((item, index) => {
      const group = groupBy && item instanceof Group ? item : null;
      return itemScope(id, scope, item, index, length, group);
    });
  };
}

function compileElements(
  { path }: Repeat,
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
  return (scope) => {
    const value = read(scope);
    const elements = toElements(value);
    if (elements) return elements;
    const isOdd = value !== undefined && value !== null && value !== "";
    if (isOdd) scope.context.onMissing(source, where);
    return [];
  };
}

/** Iterations are spent once: on what the costly passes look at, or, when there are none, on what is printed. */
function compilePasses(
  repeat: Repeat,
  where: string,
  types: ScopeTypes,
): Pass[] {
  const { path, collectionId, filter, sort = [], groupBy } = repeat;
  const inner = elementTypes(
    parsePath(path).node,
    types,
    "scope",
    collectionId,
  );
  const setting = { where, types: inner };
  const passes: Pass[] = [];
  if (filter) passes.push(filterPass(filter, setting));
  if (sort.length > 0) passes.push(sortPass(sort, setting));
  if (groupBy) passes.push(groupPass(groupBy, setting));
  const slice = slicePass(repeat);
  return passes.length > 0 ? [spendPass, ...passes, slice] : [slice, spendPass];
}

const spendPass: Pass = (elements, { context }) => {
  context.spend(elements.length);
  return elements;
};

function slicePass({ offset = 0, limit }: Repeat): Pass {
  const end = limit === undefined ? undefined : offset + limit;
  return (elements) =>
    offset === 0 && end === undefined ? elements : elements.slice(offset, end);
}

/** One step of a collection's work: takes the elements of `scope` and gives those that go on. */
type Pass = (elements: readonly unknown[], scope: Scope) => readonly unknown[];

/** What a pass is compiled for: the collection's id and the types inside its elements. */
interface PassSetting {
  readonly where: string;
  readonly types: ScopeTypes;
}

/** What an expression says of each element. */
function evaluateEach<T>(
  elements: readonly unknown[],
  scope: Scope,
  id: string,
  read: (inner: Scope) => T,
): T[] {
  const { length } = elements;
  return elements.map((element, index) =>
    read(itemScope(id, scope, element, index, length)),
  );
}

function filterPass(logic: Logic, setting: PassSetting): Pass {
  const holds = compileRules(logic, { ...setting, reach: "item" });
  const { id } = setting.types;
  return (elements, scope) => {
    const kept = evaluateEach(elements, scope, id, holds);
    return elements.filter((_, index) => kept[index]);
  };
}

/** Stable; an earlier rule takes precedence; what is empty or not of the rule's type comes last. */
function sortPass(rules: readonly SortRule[], setting: PassSetting): Pass {
  const columns = rules.map(({ field, type, direction }) => ({
    read: compileField(field, setting),
    type,
    sign: direction === "ASC" ? (1 as const) : (-1 as const),
  }));
  return (elements, scope) => {
    const { context } = scope;
    const rows = evaluateEach(elements, scope, setting.types.id, (inner) => ({
      element: inner.item,
      keys: columns.map(({ read, type }) =>
        sortKey(read(inner), type, context),
      ),
    }));
    const sorted = rows.toSorted((a, b) =>
      compareRows(a.keys, b.keys, columns, context.locale),
    );
    return sorted.map(({ element }) => element);
  };
}

function compareRows(
  a: readonly SortKey[],
  b: readonly SortKey[],
  columns: readonly { readonly sign: 1 | -1 }[],
  locale: string,
): number {
  let at = 0;
  for (const { sign } of columns) {
    const order = compareKeys(a[at] ?? null, b[at] ?? null, sign, locale);
    if (order !== 0) return order;
    at++;
  }
  return 0;
}

/** Records with the same key, in their order; `key` as the first of them has it, null for empty. */
class Group {
  readonly items: unknown[] = [];

  constructor(readonly key: unknown) {}
}

/** Groups in the order in which they first appear, or by key when there is a direction, the empty one last. */
function groupPass(groupBy: GroupBy, setting: PassSetting): Pass {
  const read = compileField(groupBy.field, setting);
  const { type = "String", direction } = groupBy;
  return (elements, scope) => {
    const { context } = scope;
    const keys = evaluateEach(elements, scope, setting.types.id, read);
    const groups = collect(elements, keys, (key) =>
      identity(key, type, context),
    );
    return direction ? inOrder(groups, type, direction, context) : groups;
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

/** Empty for a key that prints as nothing; equal for keys that are equal under the type; what is not of the type is identified by its text. */
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
  type: ValueType,
  direction: "ASC" | "DESC",
  context: MergeContext,
): Group[] {
  const sign = direction === "ASC" ? 1 : -1;
  return groups
    .map((group) => ({ group, key: sortKey(group.key, type, context) }))
    .toSorted((a, b) => compareKeys(a.key, b.key, sign, context.locale))
    .map(({ group }) => group);
}

/** The field of a sort or groupBy rule: a path from the element. That it is missing orders it last and is no fault. */
function compileField(field: string, { where, types }: PassSetting): Evaluator {
  const { source, node } = parsePath(field);
  const env = {
    source,
    where,
    types,
    reach: "item",
    ignoresMissing: true,
  } as const;
  return compilePathNode(node, env);
}
