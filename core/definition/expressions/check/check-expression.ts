import { parseExpression, parsePath } from "../parse/parse-expression.js";
import { hasBraces, splitTemplate } from "../parse/parse-template.js";
import { isOpen, type Shape } from "../schema/record-type.js";
import type { ScopeTypes } from "../schema/scope-types.js";
import type { BindingReport } from "../types.js";
import { checkNode } from "./check-node.js";
import { checkPathNode } from "./check-path-node.js";
import { attempt, type Checking } from "./checking.js";

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
