import { parseExpression } from "../parse/parse-expression.js";
import type { ScopeTypes } from "../schema/scope-types.js";
import { compileExpression } from "./compile-expression.js";
import type { Evaluator } from "./evaluator.js";

// Raw values, not yet text: undefined where the data has none, null for empty. Both report missing values under
// `where`, the JSON path of the component, and throw PlatenError `invalid_definition` for what the checker refuses.

/** One expression without braces. */
export function compileValue(
  source: string,
  where: string,
  types: ScopeTypes,
): Evaluator {
  const around = { where, types, reach: "scope", isQuiet: false } as const;
  return compileExpression(parseExpression(source), around);
}

/** One expression whose paths begin at the innermost element, such as a chart's label. */
export function compileField(
  source: string,
  where: string,
  types: ScopeTypes,
): Evaluator {
  const around = { where, types, reach: "item", isQuiet: false } as const;
  return compileExpression(parseExpression(source), around);
}
