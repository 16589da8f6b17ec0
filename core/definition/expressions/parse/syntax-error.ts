import type { PlatenError } from "../../../plugin-api/index.js";
import { bindingError } from "../problem.js";

/** An expression that does not parse; `at` is 0-based. */
export function syntaxError(
  source: string,
  at: number,
  message: string,
  hint?: string,
): PlatenError {
  return bindingError({
    code: "invalid_expression",
    message,
    expression: source,
    column: at + 1,
    ...(hint ? { hint } : {}),
  });
}
