import { getSourceText, type PathNode } from "../parse/ast.js";
import { bindingError } from "../problem.js";
import {
  resolvePath,
  type OwnProperty,
  type PathStart,
  unknownScope,
} from "../resolve-path.js";
import type { ScopeTypes } from "../scope-types.js";
import { findScope } from "../scope.js";
import type { Scope } from "../types.js";
import { isRecord, readKey, readKeys } from "../values/read-data.js";

/** @throws PlatenError `invalid_definition` when the path starts with an unknown scope. */
export function compilePathNode(
  node: PathNode,
  env: CompileEnvironment,
): Evaluator {
  const path = resolvePath(node, env.types, env.reach);
  if (!path) {
    throw bindingError(unknownScope(node, env.source, env.types));
  }
  const read = chargeLongTexts(continueReading(startReading(path.start), path));
  return env.ignoresMissing ? read : reportMissing(read, node, env);
}

const CHARACTERS_PER_ITERATION = 1000;

/** Long texts cost time wherever they are used, so they count as iterations and the limit bounds that time too. */
function chargeLongTexts(read: Evaluator): Evaluator {
  return (scope) => {
    const value = read(scope);
    if (typeof value === "string" && value.length > CHARACTERS_PER_ITERATION) {
      const iterations = Math.floor(value.length / CHARACTERS_PER_ITERATION);
      scope.context.spend(iterations);
    }
    return value;
  };
}

function reportMissing(
  read: Evaluator,
  node: PathNode,
  { source, where }: CompileEnvironment,
): Evaluator {
  const text = getSourceText(node, source);
  return (scope) => {
    const value = read(scope);
    if (value === undefined) scope.context.onMissing(text, where);
    return value;
  };
}

/** A single key is by far the most common case, so it avoids the loop. */
function continueReading(
  start: Evaluator,
  path: { start: PathStart; keys: readonly string[] },
): Evaluator {
  const { keys } = path;
  const [only] = keys;
  if (only === undefined || path.start.from === "name") return start;
  if (keys.length > 1) {
    return (scope) => readKeys(start(scope), keys, scope.context);
  }
  return (scope) => readKey(start(scope), only, scope.context);
}

function startReading(start: PathStart): Evaluator {
  switch (start.from) {
    case "item":
      return (scope) => scope.item;
    case "scope":
      return (scope) => findScope(scope, start.id)?.item;
    case "own":
      return (scope) => ownProperty(findScope(scope, start.id), start.property);
    case "itself":
      return (scope) => readItself(findScope(scope, start.id), start.reach);
    default:
      return (scope) => readName(scope, start);
  }
}

function ownProperty(scope: Scope | null, property: OwnProperty): unknown {
  if (!scope) return undefined;
  return property === "number" ? scope.index + 1 : scope[property];
}

/**
 * In a list of texts, `tag` means the element. In records without declared fields, it means their field `tag`; a record
 * without that field is returned itself, but has no value in a sort or filter rule.
 */
function readItself(scope: Scope | null, reach: "scope" | "item"): unknown {
  if (!scope || !isRecord(scope.item)) return scope?.item;
  const field = readKey(scope.item, scope.id, scope.context);
  return field === undefined && reach === "scope" ? scope.item : field;
}

/** Reads the name from the innermost of the scopes that has it. */
function readName(
  scope: Scope,
  { name, scopes }: Extract<PathStart, { from: "name" }>,
): unknown {
  for (const id of scopes) {
    const found = findScope(scope, id);
    const value = found ? readKey(found.item, name, scope.context) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

/** A compiled expression. It returns undefined when the data has no such value and null when it is empty. */
export type Evaluator = (scope: Scope) => unknown;

/** The environment in which an expression is compiled. */
export interface CompileEnvironment {
  /** The text of the expression, for reports. */
  readonly source: string;
  /** JSON path of the component. */
  readonly where: string;
  readonly types: ScopeTypes;
  /** Where paths start; see `resolvePath`. */
  readonly reach: "scope" | "item";
  /** A missing value is expected (in a test or default) and not reported. */
  readonly ignoresMissing: boolean;
}

export function ignoreMissing(env: CompileEnvironment): CompileEnvironment {
  return env.ignoresMissing ? env : { ...env, ignoresMissing: true };
}
