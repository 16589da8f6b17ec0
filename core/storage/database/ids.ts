import { v7, validate } from "uuid";

/** A new time-ordered id: a UUID of version 7, behind `prefix_` when one is given. */
export function newId(prefix?: "ver" | "doc" | "batch"): string {
  return prefix === undefined ? v7() : `${prefix}_${v7()}`;
}

/** Whether it has the form of an id with this prefix; what has not is not looked up. */
export function isId(value: string, prefix?: "ver" | "doc" | "batch"): boolean {
  if (prefix === undefined) return validate(value);
  return (
    value.startsWith(`${prefix}_`) && validate(value.slice(prefix.length + 1))
  );
}
