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
} from "../../../../core/plugin-api/definition.js";
import { parseLosslessJson } from "../../../../core/plugin-api/lossless-json.js";
import { COMPONENT_TYPES } from "../model/catalog.js";
import {
  BANDS,
  assignMissingIds,
  at,
  type Tree,
  buildTree,
} from "../model/tree.js";
import { isObject } from "../model/same-json.js";
import { t } from "../../messages/index.js";

/** A typed definition, or why the text is not one. */
export type Reading =
  | { definition: ProjectData; fault: null }
  | { definition: null; fault: string; at: number };

const syntaxErrors: Readonly<Record<string, string>> = {
  CommaExpected: t("json.commaIsMissing"),
  ColonExpected: t("json.colonIsMissing"),
  CloseBraceExpected: t("json.closingBraceIsMissing"),
  CloseBracketExpected: t("json.closingBracketIsMissing"),
  PropertyNameExpected: t("json.nameOfPropertyIsMissing"),
  ValueExpected: t("json.valueIsMissing"),
  UnexpectedEndOfString: t("json.closingQuotationMarkIsMissing"),
  EndOfFileExpected: t("json.thereIsMoreThanOne"),
};

/** Accepts what the editor can show; the server finds the remaining problems. */
export function readJson(text: string): Reading {
  const error = findSyntaxError(text);
  if (error) return { definition: null, ...error };
  const value = parseLosslessJson(text);
  const fault = findStructureError(value);
  if (fault !== null) return { definition: null, fault, at: 0 };
  // The server's validation finds everything else.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { definition: value as ProjectData, fault: null };
}

/** The first syntax error of a JSON text: "Line 1: a comma is missing.", and its position in characters. */
export function findSyntaxError(
  text: string,
): { fault: string; at: number } | null {
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true });
  const [first] = errors;
  if (!first) return null;
  const line = text.slice(0, first.offset).split("\n").length;
  const why =
    syntaxErrors[printParseErrorCode(first.error)] ??
    t("json.thisIsNotValidJson");
  return { fault: t("json.lineLineWhy", { line, why }), at: first.offset };
}

const types: ReadonlySet<unknown> = new Set(COMPONENT_TYPES);

/** Why the editor cannot show a value as a template; null if it can. */
function findStructureError(value: unknown): string | null {
  if (!isObject(value)) return t("json.templateMustBeObject");
  for (const name of ["schema", "components"])
    if (!Array.isArray(value[name])) return t("json.nameMustBeList", { name });
  const { page } = value;
  if (page !== undefined && !isObject(page)) return t("json.pageMustBeObject");
  const lists: [string, unknown][] = [["components", value["components"]]];
  for (const name of BANDS) {
    const band = page?.[name];
    if (band === undefined) continue;
    lists.push([name, isObject(band) ? band["components"] : band]);
  }
  return findFirst(lists, ([name, list]) => findListError(list, name));
}

function findListError(list: unknown, name: string): string | null {
  if (!Array.isArray(list)) return t("json.nameMustBeList", { name });
  return findFirst(list, findComponentError);
}

function findComponentError(component: unknown): string | null {
  if (!isObject(component)) return t("json.componentMustBeObject");
  const { type, id, condition, collection, components } = component;
  if (!types.has(type))
    return t("json.unknownComponentTypeType", { type: String(type) });
  if (id !== undefined && typeof id !== "string")
    return t("json.idOfComponentMustBe");
  const branches: [string, unknown, string][] = [
    ["condition", condition, "else"],
    ["collection", collection, "empty"],
  ];
  if (components !== undefined) {
    const fault = findListError(components, "components");
    if (fault !== null) return fault;
  }
  return findFirst(branches, ([name, branch, inner]) => {
    if (branch === undefined) return null;
    if (!isObject(branch)) return t("json.nameMustBeObject", { name });
    const list = branch[inner];
    return list === undefined ? null : findListError(list, inner);
  });
}

function findFirst<T>(
  list: readonly T[],
  look: (item: T) => string | null,
): string | null {
  for (const item of list) {
    const fault = look(item);
    if (fault !== null) return fault;
  }
  return null;
}

/** A range of characters. */
export interface Span {
  from: number;
  to: number;
}

/** The range that a problem's path (`$.components[2].text`) refers to, or that of its nearest existing parent. */
export function findSpan(text: string, jsonPath: string): Span {
  const root = parseTree(text);
  if (!root) return { from: 0, to: 0 };
  const keys = parseJsonPath(jsonPath);
  for (let length = keys.length; length > 0; length--) {
    const node = findNodeAtLocation(root, keys.slice(0, length));
    if (node) return span(node);
  }
  return span(root);
}

function span({ offset, length }: Node): Span {
  return { from: offset, to: offset + length };
}

/** Its steps are `.text`, `[0]` and, for names that are not words, `["font-size"]`. */
function parseJsonPath(jsonPath: string): (string | number)[] {
  const steps = jsonPath.matchAll(
    /\.([^.[\]]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g,
  );
  return Array.from(steps, ([, name, index, quoted = '""']) => {
    if (index !== undefined) return Number(index);
    return name ?? String(JSON.parse(quoted));
  });
}

/** Assigns ids to typed components: one without an id keeps that of the component of its type at the same path. */
export function keepIds(typed: ProjectData, before: ProjectData): ProjectData {
  const named = assignMissingIds(typed);
  const newPaths = findNewPaths(buildTree(named), typed);
  if (newPaths.length === 0) return named;
  const taken = new Set(buildTree(named).entries.keys());
  const copy = structuredClone(named);
  for (const path of newPaths) {
    const [now, old] = [at(copy, path), at(before, path)];
    if (!isComponent(now) || !isComponent(old)) continue;
    if (old.id === undefined || taken.has(old.id) || old.type !== now.type)
      continue;
    taken.add(old.id);
    now.id = old.id;
  }
  return copy;
}

/** The paths of components that got a new id. */
function findNewPaths(tree: Tree, typed: ProjectData) {
  return [...tree.entries.values()].flatMap(({ id, path }) => {
    const was = at(typed, path);
    return isComponent(was) && was.id === id ? [] : [path];
  });
}

function isComponent(value: unknown): value is Component {
  return typeof value === "object" && value !== null && "type" in value;
}
