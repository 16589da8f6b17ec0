import type { DraftAnalysis } from "../../../../core/compiler/views.js";
import type { FieldType } from "../../../../core/plugin-api/definition.js";
import { keysOf } from "../scope/path-text.js";
import {
  findNearestRepeat,
  getElementShape,
  getRootShape,
  getShapeAt,
  type RepeatScope,
  scopeNamed,
  type Shape,
  type SymbolTable,
} from "../scope/symbol-table.js";
import { createComponentFinder, type Tree } from "./tree.js";

/** A field that a component prints and that neither the schema nor the sample has, so that nothing is printed. */
export interface UnknownField {
  /** The id of the component. */
  component: string;
  /** The text between the braces; null for the list that a component repeats for. */
  expression: string | null;
  message: string;
  /** The path as it is written. */
  path: string;
  /** How to declare it; null when that is unknown. */
  remedy: FieldRemedy | null;
}

/** Fields that a collection lacks: a value or list, before it the linked records that lead to it. */
export interface FieldRemedy {
  collectionId: string;
  names: readonly string[];
  type: FieldType;
}

/** What of the checker's warnings prints nothing with the sample. */
export function findUnknownFields(
  facts: DraftAnalysis | null,
  tree: Tree,
  scopes: SymbolTable,
): UnknownField[] {
  const warnings = (facts?.warnings ?? []).filter(({ code }) =>
    /^undeclared_(?:field|name)$/.test(code),
  );
  if (!facts || warnings.length === 0) return [];
  const findComponent = createComponentFinder(tree);
  return warnings.flatMap(({ path: place, message, expression, column }) => {
    const component = findComponent(place);
    if (component === null || !expression || !column) return [];
    const isList = place.endsWith(".collection.path");
    const printed = facts.values[component]?.[expression];
    const isUnknown = isList ? !facts.repeats[component] : printed === "";
    const match = isUnknown ? findPathAt(expression, column - 1) : null;
    if (!match) return [];
    const scope = findNearestRepeat(tree, scopes.repeats, component, !isList);
    const missing = findMissing(scopes, scope, match.keys);
    const type = isList ? "OneToManyLink" : guessType(expression, match.start);
    return {
      component,
      expression: isList ? null : expression,
      message,
      path: match.path,
      remedy: missing && { ...missing, type },
    };
  });
}

const PATHS =
  /[\p{L}_$][\p{L}\p{M}\p{N}_$]*(?:\.[\p{L}\p{M}\p{N}_$]+|\["(?:[^"\\]|\\[^])*"\])*/gu;
const IN_AGGREGATE = /\b(?:SUM|AVG|MIN|MAX)\(\s*(?<list>[^,()]+),[^()]*$/;

/** The path around an offset; inside an aggregate, with the list whose elements it is read from. */
function findPathAt(
  expression: string,
  offset: number,
): { path: string; keys: string[]; start: number } | null {
  for (const { 0: path, index } of expression.matchAll(PATHS)) {
    if (offset < index || offset >= index + path.length) continue;
    const keys = keysOf(path);
    const { list = "" } =
      IN_AGGREGATE.exec(expression.slice(0, index))?.groups ?? {};
    const listKeys = keysOf(list) ?? [];
    return keys && { path, keys: [...listKeys, ...keys], start: index };
  }
  return null;
}

/** The first collection along a path that lacks the next field, and the fields from there. */
function findMissing(
  scopes: SymbolTable,
  scope: RepeatScope | null,
  keys: readonly string[],
): Omit<FieldRemedy, "type"> | null {
  const [first = "", ...rest] = keys;
  const owner = scopeNamed(first, scope);
  const isNamed = owner !== null || first === "root";
  const names = isNamed ? rest : keys;
  const around = isNamed ? owner : scope;
  let shape: Shape = around ? getElementShape(around) : getRootShape(scopes);
  for (const [at, name] of names.entries()) {
    const of: { id: string } | null = shape && "of" in shape ? shape.of : null;
    if (!of) {
      // The root record of an empty schema.
      const isRoot = at === 0 && !around;
      return isRoot ? { collectionId: "root", names } : null;
    }
    const before = isNamed
      ? [first, ...names.slice(0, at)]
      : names.slice(0, at);
    const next = getShapeAt(scopes, scope, [...before, name]);
    if (!next) {
      const isDeclared = scopes.schema.some((collection) => collection === of);
      return isDeclared
        ? { collectionId: of.id, names: names.slice(at) }
        : null;
    }
    shape = next;
  }
  return null;
}

function guessType(expression: string, start: number): FieldType {
  if (/\|\s*date\b/.test(expression)) return "Date";
  const isCalculated =
    /\|\s*(?:number|currency|percent|words|ordinal)\b|[*/]/.test(expression) ||
    /\b(?:SUM|AVG)\([^()]*$/.test(expression.slice(0, start));
  return isCalculated ? "Number" : "String";
}
