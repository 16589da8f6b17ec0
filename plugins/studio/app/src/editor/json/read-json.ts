import {
  type ParseError,
  parseTree,
  printParseErrorCode,
  findNodeAtLocation,
  type Node,
} from "jsonc-parser";
import type {
  ProjectData,
  Component,
} from "../../../../../../core/plugin-api/definition.js";
import { COMPONENT_TYPES } from "../model/catalog.js";
import { BANDS, withIds, at, type Tree, treeOf } from "../model/tree.js";
import { isObject } from "../session/merge/same-json.js";

/** What a typed text is: a definition, or why it is none. */
export type Reading =
  | { definition: ProjectData; fault: null }
  | { definition: null; fault: string; at: number };

const words: Readonly<Record<string, string>> = {
  CommaExpected: "a comma is missing",
  ColonExpected: "a colon is missing",
  CloseBraceExpected: "a closing } is missing",
  CloseBracketExpected: "a closing ] is missing",
  PropertyNameExpected: "the name of a property is missing",
  ValueExpected: "a value is missing",
  UnexpectedEndOfString: "a closing quotation mark is missing",
  EndOfFileExpected: "there is more than one value",
};

/** Only what the model can hold; the service says what is wrong with the rest. */
export function readJson(text: string): Reading {
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true });
  const [error] = errors;
  if (error) return { definition: null, ...syntaxFault(text, error) };
  const value: unknown = JSON.parse(text);
  const fault = faultOf(value);
  if (fault !== null) return { definition: null, fault, at: 0 };
  // What can be wrong with it beyond this is the checker's to tell.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { definition: value as ProjectData, fault: null };
}

function syntaxFault(text: string, { error, offset }: ParseError) {
  const line = text.slice(0, offset).split("\n").length;
  const why = words[printParseErrorCode(error)] ?? "this is no JSON";
  return { fault: `Line ${line}: ${why}.`, at: offset };
}

const types: ReadonlySet<unknown> = new Set(COMPONENT_TYPES);

/** Why a value cannot be shown as a template at all; null when it can, however much may be wrong with it. */
function faultOf(value: unknown): string | null {
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

/** From and to, in characters. */
export interface Span {
  from: number;
  to: number;
}

/** Where a path of the checker (`$.components[2].text`) leads in a text; to what is around it, where that is not there. */
export function spanOf(text: string, jsonPath: string): Span {
  const root = parseTree(text);
  if (!root) return { from: 0, to: 0 };
  const keys = keysOf(jsonPath);
  for (let length = keys.length; length > 0; length--) {
    const node = findNodeAtLocation(root, keys.slice(0, length));
    if (node) return span(node);
  }
  return span(root);
}

function span({ offset, length }: Node): Span {
  return { from: offset, to: offset + length };
}

/** Its steps are `.text`, `[0]` and, of names that are no word, `["font-size"]`. */
function keysOf(jsonPath: string): (string | number)[] {
  const steps = jsonPath.matchAll(
    /\.([^.[\]]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g,
  );
  return Array.from(steps, ([, name, index, quoted = '""']) => {
    if (index !== undefined) return Number(index);
    return name ?? String(JSON.parse(quoted));
  });
}

/** The typed definition with ids: what was typed without one and stands where a component of its type stood keeps that one's. */
export function withKeptIds(
  typed: ProjectData,
  before: ProjectData,
): ProjectData {
  const named = withIds(typed);
  const fresh = freshPaths(treeOf(named), typed);
  if (fresh.length === 0) return named;
  const taken = new Set(treeOf(named).entries.keys());
  const copy = structuredClone(named);
  for (const path of fresh) {
    const [now, old] = [at(copy, path), at(before, path)];
    if (!isComponent(now) || !isComponent(old)) continue;
    if (old.id === undefined || taken.has(old.id) || old.type !== now.type)
      continue;
    taken.add(old.id);
    now.id = old.id;
  }
  return copy;
}

/** Where ids were given. */
function freshPaths(tree: Tree, typed: ProjectData) {
  return [...tree.entries.values()].flatMap(({ id, path }) => {
    const was = at(typed, path);
    return isComponent(was) && was.id === id ? [] : [path];
  });
}

function isComponent(value: unknown): value is Component {
  return typeof value === "object" && value !== null && "type" in value;
}
