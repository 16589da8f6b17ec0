import type { GroupBy, ValueType } from "../../schema/data-schema.js";
import type { MergeContext } from "../types.js";
import { startOf, toMoment } from "../value/moment.js";
import { numericText, toNumeric } from "../value/numeric.js";
import { compareKeys, sortKey } from "../value/order.js";
import { toText } from "../value/text.js";
import { compileField } from "./compile-field.js";
import { evaluateEach, type Pass, type PassSetting } from "./pass.js";

/** Records with the same key, in their order; `key` as the first of them has it, null for empty. */
export class Group {
  readonly items: unknown[] = [];

  constructor(readonly key: unknown) {}
}

/** Groups in the order in which they first appear, or by key when there is a direction, the empty one last. */
export function groupPass(groupBy: GroupBy, setting: PassSetting): Pass {
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
  const moment = type === "Date" ? toMoment(key, timeZone) : null;
  if (moment) return `date ${startOf(moment, timeZone)}`;
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
