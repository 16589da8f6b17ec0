import { PlatenError, nearestWord } from "../../plugin-api/index.js";
import type { BindingProblem } from "./types.js";

/** A problem of a template string or a path, as an error: thrown where it is found, listed where it is caught. */
export function bindingError(problem: BindingProblem): PlatenError {
  const place = problem.expression
    ? ` In "${problem.expression}", column ${problem.column ?? 1}.`
    : "";
  const hint = problem.hint ? ` ${problem.hint}` : "";
  return new PlatenError(
    "invalid_definition",
    `${problem.message}${place}${hint}`,
    { problems: [{ path: "", ...problem }] },
  );
}

/** The problem inside an error of this room; any other error is thrown on. */
export function getProblem(error: unknown): BindingProblem {
  const first = error instanceof PlatenError ? error.problems[0] : undefined;
  if (!first) throw error;
  const { path: _path, ...problem } = first;
  return problem;
}

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

/** A hint for a problem, empty when no known word is near. */
export function didYouMean(
  word: string,
  known: Iterable<string>,
): { hint?: string } {
  const meant = nearestWord(word, known);
  return meant === undefined ? {} : { hint: `Did you mean ${meant}?` };
}
