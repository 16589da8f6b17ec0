import type { MergeContext } from "../types.js";

const INDEX = /^\d{1,9}$/;

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

export function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !isList(value);
}

/**
 * The value of one key of data: of an object its own enumerable property, of a list the element at a number, or
 * else the key's values in all elements, joined to one list. Undefined where there is none; null stays null.
 * Texts have no properties.
 */
export function readKey(
  value: unknown,
  key: string,
  context: MergeContext,
): unknown {
  if (typeof value !== "object") return undefined;
  if (value === null) return null;
  if (isList(value)) return readList(value, key, context);
  return isOwn(value, key) ? value[key] : undefined;
}

function isOwn<K extends string>(
  value: object,
  key: K,
): value is Record<K, unknown> {
  return Object.prototype.propertyIsEnumerable.call(value, key);
}

function readList(
  list: readonly unknown[],
  key: string,
  context: MergeContext,
): unknown {
  if (INDEX.test(key)) return list[Number(key)];
  context.spend(list.length);
  const found: unknown[] = [];
  for (const element of list) {
    if (isList(element)) continue;
    const value = readKey(element, key, context);
    if (isList(value)) for (const part of value) found.push(part);
    else if (value !== undefined && value !== null) found.push(value);
  }
  return found;
}

/** Reads key after key. */
export function readKeys(
  value: unknown,
  keys: readonly string[],
  context: MergeContext,
): unknown {
  let found = value;
  for (const key of keys) found = readKey(found, key, context);
  return found;
}

/** What a collection repeats over: a list, or one object as a list of one; null when the value is neither. */
export function toElements(value: unknown): readonly unknown[] | null {
  if (isList(value)) return value;
  return isRecord(value) ? [value] : null;
}
