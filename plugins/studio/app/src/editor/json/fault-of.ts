import { BANDS } from "../model/tree.js";
import { COMPONENT_TYPES } from "../model/catalog.js";
import { isObject } from "../session/join/same-json.js";

const types: ReadonlySet<unknown> = new Set(COMPONENT_TYPES);

/** Why a value cannot be shown as a template at all; null when it can, however much may be wrong with it. */
export function faultOf(value: unknown): string | null {
  if (!isObject(value)) return "A template is an object: { … }.";
  for (const name of ["schema", "components"])
    if (!Array.isArray(value[name]))
      return `“${name}” has to be a list: [ … ].`;
  const { page } = value;
  if (page !== undefined && !isObject(page))
    return "“page” has to be an object.";
  const lists: [string, unknown][] = [["components", value["components"]]];
  for (const name of BANDS) {
    const band = page?.[name];
    if (band === undefined) continue;
    lists.push([name, isObject(band) ? band["components"] : band]);
  }
  return firstFault(lists, ([name, list]) => listFault(list, name));
}

function listFault(list: unknown, name: string): string | null {
  if (!Array.isArray(list)) return `“${name}” has to be a list: [ … ].`;
  return firstFault(list, componentFault);
}

function componentFault(component: unknown): string | null {
  if (!isObject(component)) return "A component is an object: { … }.";
  const { type, id, condition, collection, components } = component;
  if (!types.has(type))
    return `There is no component of the type “${String(type)}”.`;
  if (id !== undefined && typeof id !== "string")
    return "The “id” of a component is a text.";
  const branches: [string, unknown, string][] = [
    ["condition", condition, "else"],
    ["collection", collection, "empty"],
  ];
  if (components !== undefined) {
    const fault = listFault(components, "components");
    if (fault !== null) return fault;
  }
  return firstFault(branches, ([name, branch, inner]) => {
    if (branch === undefined) return null;
    if (!isObject(branch)) return `“${name}” has to be an object: { … }.`;
    const list = branch[inner];
    return list === undefined ? null : listFault(list, inner);
  });
}

function firstFault<T>(
  list: readonly T[],
  look: (one: T) => string | null,
): string | null {
  for (const one of list) {
    const fault = look(one);
    if (fault !== null) return fault;
  }
  return null;
}
