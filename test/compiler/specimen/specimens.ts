import { readFileSync } from "node:fs";
import type { TemplateType } from "../../../core/definition/index.js";

/** A definition for each type of template which together use every component and every property there is. */
export function specimen(type: TemplateType): Record<string, unknown> {
  const json = readFileSync(new URL(`${type}.json`, import.meta.url), "utf8");
  const value: unknown = JSON.parse(json);
  if (typeof value !== "object" || value === null) throw new Error(type);
  return { ...value };
}

/** A place in a JSON value, as keys from its top. */
export type Place = readonly (string | number)[];

/** Every string in a JSON value, with its place. */
export function getStrings(value: unknown, at: Place = []): [Place, string][] {
  if (typeof value === "string") return [[at, value]];
  return getChildren(value).flatMap(([key, child]) =>
    getStrings(child, [...at, key]),
  );
}

/** Every object in a JSON value, with its place. */
export function getObjects(value: unknown, at: Place = []): [Place, object][] {
  const inside = getChildren(value).flatMap(([key, child]) =>
    getObjects(child, [...at, key]),
  );
  return isObject(value) && !Array.isArray(value)
    ? [[at, value], ...inside]
    : inside;
}

function getChildren(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return [...value.entries()];
  return isObject(value) ? Object.entries(value) : [];
}

/** A copy of a JSON value in which `change` has made another of the value at a place. */
export function changed(
  value: unknown,
  [key, ...rest]: Place,
  change: (old: unknown) => unknown,
): unknown {
  if (key === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((child: unknown, index) =>
      index === key ? changed(child, rest, change) : child,
    );
  return Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).map(([name, child]) => [
      name,
      name === key ? changed(child, rest, change) : child,
    ]),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
