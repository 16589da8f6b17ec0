import { checkedFilter } from "../filters/filters.js";
import {
  aggregateNamed,
  type Aggregate,
  aggregateField,
  checkAggregateCall,
  checkedFunction,
} from "../functions.js";
import type { CallNode, Node, PathNode } from "../parse/ast.js";
import { parseExpression, parsePath } from "../parse/parse-expression.js";
import { hasBraces, splitTemplate } from "../parse/parse-template.js";
import { didYouMean, problemOf } from "../problem.js";
import {
  elementTypes,
  resolvePath,
  unknownScope,
  walkShape,
  type Walk,
  type PathStart,
  type ResolvedPath,
} from "../resolve-path.js";
import {
  isOpen,
  type Shape,
  type ScopeTypes,
  ANY,
  scopesOutward,
} from "../scope-types.js";
import type { BindingReport, BindingProblem, PathRead } from "../types.js";

type Options = Partial<Pick<Checking, "reach" | "takesLists" | "from">>;

/** Reports every problem of a string with `{{ }}` in it. */
export function checkTemplate(
  source: string,
  types: ScopeTypes,
  report: BindingReport,
): void {
  if (!hasBraces(source)) return;
  const parts = attempt(report, () => splitTemplate(source));
  for (const [index, part] of parts?.inner.entries() ?? [])
    checkPrinted(part, types, report, parts?.starts[index] ?? 0);
}

/** A record or a collection has no text of its own. */
function checkPrinted(
  source: string,
  types: ScopeTypes,
  report: BindingReport,
  from: number,
): void {
  const shape = checkSource(source, types, report, { from });
  if (!shape || !("record" in shape) || isOpen(shape.record)) return;
  const many = shape.kind === "many";
  report.warning({
    code: "prints_nothing",
    message: `${source.trim()} is ${many ? "a collection" : "a record"}, which prints as nothing.`,
    hint: many
      ? `Repeat an element over it, or print COUNT(${source.trim()}).`
      : `Print one of its fields, ${shape.record.fieldNames.join(", ")}.`,
    expression: source.trim(),
    column: 1,
  });
}

/** Reports every problem of one expression without braces. */
export function checkExpression(
  source: string,
  types: ScopeTypes,
  report: BindingReport,
): void {
  checkSource(source, types, report, {});
}

/** Reports every problem of a bare path; it may lead to a collection. */
export function checkPath(
  source: string,
  types: ScopeTypes,
  report: BindingReport,
): void {
  checkPathSource(source, types, report, "scope");
}

export function checkPathSource(
  source: string,
  types: ScopeTypes,
  report: BindingReport,
  reach: "scope" | "item",
): Shape | null {
  const path = attempt(report, () => parsePath(source));
  if (!path) return null;
  const from = leadingSpace(source);
  const checking = { types, report, reach, from, takesLists: true };
  return checkPathNode(path.node, { ...checking, source: path.source });
}

export function checkSource(
  source: string,
  types: ScopeTypes,
  report: BindingReport,
  options: Options,
): Shape | null {
  const parsed = attempt(report, () => parseExpression(source));
  if (!parsed) return null;
  const defaults = { reach: "scope", takesLists: false } as const;
  const from = (options.from ?? 0) + leadingSpace(source);
  const checking = { types, report, ...defaults, ...options, from };
  return checkNode(parsed.node, { ...checking, source: parsed.source });
}

/** What a parsed expression leaves out of its text. */
function leadingSpace(source: string): number {
  return source.length - source.trimStart().length;
}

/** Reports every problem of an expression, and gives the shape of its value. */
function checkNode(node: Node, checking: Checking): Shape {
  const single = { ...checking, takesLists: false };
  switch (node.kind) {
    case "literal":
      return ANY;
    case "path":
      return checkPathNode(node, checking);
    case "unary":
      return checkParts([node.operand], single);
    case "binary":
      return checkParts([node.left, node.right], single);
    case "conditional":
      return checkParts([node.value, node.test, node.otherwise], single);
    case "filter":
      attempt(checking.report, () => checkedFilter(node, checking.source));
      return checkParts([node.input, ...node.args], single);
    default:
      return checkCall(node, checking);
  }
}

function checkParts(parts: readonly Node[], checking: Checking): Shape {
  for (const part of parts) checkNode(part, checking);
  return ANY;
}

function checkCall(node: CallNode, checking: Checking): Shape {
  const aggregate = aggregateNamed(node.name);
  if (aggregate) return checkAggregate(node, aggregate, checking);
  const { report, source } = checking;
  const definition = attempt(report, () => checkedFunction(node, source));
  if (!definition) return checkParts(node.args, withoutWarnings(checking));
  const { takesLists = false } = definition;
  return checkParts(node.args, { ...checking, takesLists });
}

/** Of the arguments of an unknown function nobody knows what they mean. */
function withoutWarnings(checking: Checking): Checking {
  const report = { ...checking.report, warning: () => undefined };
  return { ...checking, report, takesLists: true };
}

function checkAggregate(
  node: CallNode,
  aggregate: Aggregate,
  checking: Checking,
): Shape {
  const { report, source, types, reach } = checking;
  const field = attempt(report, () => {
    checkAggregateCall(node, source, aggregate);
    return aggregateField(node, source);
  });
  const list = node.args[0];
  if (list?.kind !== "path") return ANY;
  checkPathNode(list, { ...checking, takesLists: true });
  if (!field) return ANY;
  const inside = elementTypes(list, types, reach, "");
  const { node: inner, source: text } = field;
  const [, written] = node.args;
  const isQuoted = written !== undefined && written !== inner;
  checkNode(inner, {
    ...checking,
    source: text,
    from: checking.from + (isQuoted ? written.start + 1 : 0),
    types: inside,
    reach: "item",
    takesLists: true,
  });
  return ANY;
}

/** Reports what is wrong with a path, and gives the shape of its value. */
function checkPathNode(node: PathNode, checking: Checking): Shape {
  const { source, types, reach, report, takesLists } = checking;
  const path = resolvePath(node, types, reach);
  if (!path) {
    report.error(unknownScope(node, source, types));
    return ANY;
  }
  if (path.isUndeclaredName) report.warning(undeclaredName(node, checking));
  const walk = walkShape(path);
  report.read?.(pathRead(node, path, walk, checking));
  const used = node.keys.length - path.keys.length;
  if (walk.crossing >= 0 && !takesLists) {
    report.error(outOfScope(node, walk, walk.crossing + used, checking));
  }
  if (walk.undeclared >= 0) {
    report.warning(undeclaredField(node, walk, walk.undeclared + used, source));
  }
  return walk.shape;
}

function undeclaredName(node: PathNode, { source, types }: Checking) {
  const name = node.keys[0];
  const known = Array.from(scopesOutward(types), ({ id, record }) => [
    id,
    ...record.fieldNames,
  ]).flat();
  return {
    code: "undeclared_name",
    message: `No collection around this place declares "${name}".`,
    ...placed(node, 0, source),
    ...didYouMean(name, known),
  };
}

function undeclaredField(
  node: PathNode,
  walk: Walk,
  at: number,
  source: string,
): BindingProblem {
  const key = node.keys[at] ?? "";
  const owner = at > 0 ? ` of ${node.keys.slice(0, at).join(".")}` : "";
  return {
    code: "undeclared_field",
    message: `No declared field${owner} is named "${key}".`,
    ...placed(node, at, source),
    ...didYouMean(key, walk.known),
  };
}

function outOfScope(
  node: PathNode,
  { crossed }: Walk,
  at: number,
  { source, types }: Checking,
): BindingProblem {
  const list = node.keys.slice(0, at).join(".");
  const field = node.keys.slice(at).join(".");
  const inside = scopeOf(crossed, types);
  return {
    code: "collection_out_of_scope",
    message: `${list} is a collection: "${field}" is in each of its records.`,
    hint: inside
      ? `Write ${inside.id}.${field}.`
      : `Repeat an element over ${list}, or take ${list}.0.${field} or SUM(${list}, ${field}).`,
    ...placed(node, at, source),
  };
}

function scopeOf(record: Walk["crossed"], types: ScopeTypes) {
  return [...scopesOutward(types)].find((scope) => scope.record === record);
}

function placed(node: PathNode, at: number, expression: string) {
  return { expression, column: (node.starts[at] ?? node.start) + 1 };
}

/** What a path reads, as it was resolved. */
function pathRead(
  node: PathNode,
  { start, keys, declaredIn }: ResolvedPath,
  walk: Walk,
  { from, types }: Checking,
): PathRead {
  const before = node.keys.slice(0, node.keys.length - keys.length);
  const owners = declaredIn
    ? [declaredIn.record.name]
    : [
        ...before.map(() => null),
        ...walk.owners.map((owner) => owner?.name ?? null),
      ];
  return { node, from, owners, scope: getStartScopeId(start, types) };
}

function getStartScopeId(start: PathStart, types: ScopeTypes): string {
  switch (start.from) {
    case "item":
      return types.id;
    case "name":
      return start.scopes.at(-1) ?? "root";
    case "own":
      return `${start.id}.${start.property}`;
    default:
      return start.id;
  }
}

/** What the checker knows around the expression at hand. */
interface Checking {
  readonly source: string;
  /** Where `source` begins in the string that is checked. */
  readonly from: number;
  readonly types: ScopeTypes;
  readonly report: BindingReport;
  /** Where paths begin; see `resolvePath`. */
  readonly reach: "scope" | "item";
  /** Lists are welcome here: a path may read a field of every record of a collection. */
  readonly takesLists: boolean;
}

/** Runs a part that throws its problem, and reports it; null then. */
function attempt<T>(report: BindingReport, run: () => T): T | null {
  try {
    return run();
  } catch (error) {
    report.error(problemOf(error));
    return null;
  }
}
