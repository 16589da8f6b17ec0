import type { DraftFacts } from "../../../../../../core/contract/app-drafts.js";
import type {
  Collection,
  Json,
} from "../../../../../../core/contract/definition.js";

/** The repeats around a component, the innermost first; null outside of all. */
export interface Scope {
  /** Of the component that repeats. */
  id: string;
  collection: Collection;
  around: Scope | null;
}

/** The data that a template is shown with. */
export interface SampleData {
  root: Json | undefined;
  facts: DraftFacts | null;
}

const plainPath = /^[A-Za-z_$][\w$-]*(?:\.[A-Za-z_$][\w$-]*)*$/;
const expressions = /\{\{(.*?)\}\}/g;

/** A Template with the sample's values; null when an expression in it is more than a path. */
export function filled(
  template: string,
  scope: Scope | null,
  data: SampleData,
): string | null {
  let isWhole = true;
  const text = template.replaceAll(expressions, (_all, source: string) => {
    const value = pathValue(source, scope, data);
    if (value === null) isWhole = false;
    return value ?? "";
  });
  return isWhole ? text : null;
}

/** A path's value as text, `""` for what is not there; null when it is no path. A default is heeded, other filters are not known here. */
function pathValue(
  source: string,
  scope: Scope | null,
  data: SampleData,
): string | null {
  const [path = "", ...filters] = source.split("|").map((part) => part.trim());
  if (!plainPath.test(path) || filters.length > 1) return null;
  const fallback = /^default\("([^"\\]*)"\)$/.exec(filters[0] ?? "")?.[1];
  if (filters.length > 0 && fallback === undefined) return null;
  const value = valueAt(path, scope, data);
  return textOf(value) || (fallback ?? "");
}

function textOf(value: unknown): string {
  return typeof value === "string" ||
    typeof value === "number" ||
    typeof value === "boolean"
    ? String(value)
    : "";
}

/** What a path leads to in the sample; undefined for what is not there. */
export function valueAt(
  path: string,
  scope: Scope | null,
  data: SampleData,
): unknown {
  const [name = "", ...rest] = path.split(".");
  if (name === "root") return dig(data.root, rest);
  const named = scopeNamed(name, scope);
  if (named) return dig(elementOf(named, data), rest);
  for (let one = scope; one; one = one.around) {
    const value = dig(elementOf(one, data), [name, ...rest]);
    if (value !== undefined) return value;
  }
  return dig(data.root, [name, ...rest]);
}

function scopeNamed(name: string, scope: Scope | null): Scope | null {
  for (let one = scope; one; one = one.around) {
    const { collectionId, groupBy } = one.collection;
    if (collectionId === name || (name === "group" && groupBy)) return one;
  }
  return null;
}

/** The element with which a repeat is shown. Without the service's word it is the first of the list. */
function elementOf(scope: Scope, data: SampleData): unknown {
  const known = data.facts?.repeats[scope.id];
  if (known) return known.first;
  const list = valueAt(scope.collection.path, scope.around, data);
  return Array.isArray(list) ? list[0] : undefined;
}

/** Own properties alone; into a list, into its first element. */
function dig(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((held, key) => {
    const one: unknown = Array.isArray(held) ? held[0] : held;
    return typeof one === "object" && one !== null && Object.hasOwn(one, key)
      ? Reflect.get(one, key)
      : undefined;
  }, value);
}
