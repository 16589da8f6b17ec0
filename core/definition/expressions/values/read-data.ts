import type { MergeContext } from "../types.js";

const INDEX = /^\d{1,9}$/;

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

export function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !isList(value);
}

/**
 * Reads one key: an own enumerable property of an object, an element of a list by index, or the values of the key in
 * all elements of a list. Undefined when there is none; null stays null. Texts have no properties.
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

/** The elements of a list, or a single object as a list of one; null for anything else. */
export function toElements(value: unknown): readonly unknown[] | null {
  if (isList(value)) return value;
  return isRecord(value) ? [value] : null;
}
