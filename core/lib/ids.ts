import { v7, validate } from "uuid";

// Ids: a UUID, after a prefix such as `doc_` where one is given.

/** A new time-ordered id: a UUID of version 7, after `prefix_` when one is given. */
export function newId(prefix?: "ver" | "doc" | "batch"): string {
  return prefix === undefined ? v7() : `${prefix}_${v7()}`;
}

/** Whether it is a well-formed id with this prefix; others need not be looked up. */
export function isId(value: string, prefix?: "ver" | "doc" | "batch"): boolean {
  if (prefix === undefined) return validate(value);
  return (
    value.startsWith(`${prefix}_`) && validate(value.slice(prefix.length + 1))
  );
}

/** The id as it is stored: a UUID in upper case is the same one. Other texts stay as they are. */
export function normalizeId(value: string): string {
  const uuid = value.replace(/^[a-z]+_/i, "");
  return validate(uuid) ? value.toLowerCase() : value;
}
