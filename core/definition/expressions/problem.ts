import {
  PlatenError,
  type Problem,
  findNearestWord,
} from "../../plugin-api/index.js";

/** A problem of a template string or path, without its JSON path. `column` is 1-based in `expression`. */
export type BindingProblem = Omit<Problem, "path">;

/** Wraps a problem of a template string or path in an error, which the checker catches and lists. */
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

/** Returns the problem of an error that `bindingError` created; rethrows any other error. */
export function getProblem(error: unknown): BindingProblem {
  const first = error instanceof PlatenError ? error.problems[0] : undefined;
  if (!first) throw error;
  const { path: _path, ...problem } = first;
  return problem;
}

/** A syntax error; `at` is 0-based. */
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

/** A hint with the nearest known word; empty when none is similar. */
export function didYouMean(
  word: string,
  knownWords: Iterable<string>,
): { hint?: string } {
  const meant = findNearestWord(word, knownWords);
  return meant === undefined ? {} : { hint: `Did you mean ${meant}?` };
}
