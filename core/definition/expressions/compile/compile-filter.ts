import { checkedFilter } from "../filter/checked-filter.js";
import type { FilterDefinition, Format } from "../filter/filter-definition.js";
import { literalOf } from "../function/checked-function.js";
import type { FilterNode } from "../parse/ast.js";
import { problemOf } from "../problem.js";
import { isEmpty } from "../value/text.js";
import type { Evaluator, Surroundings } from "./evaluator.js";

/** @throws PlatenError `invalid_definition` for an unknown filter or wrong arguments. */
export function compileFilter(
  node: FilterNode,
  input: Evaluator,
  args: readonly Evaluator[],
  { source }: Surroundings,
): Evaluator {
  const definition = checkedFilter(node, source);
  const format = node.args.every(({ kind }) => kind === "literal")
    ? definition.bind(node.args.map(literalOf))
    : null;
  return (scope) => {
    const value = input(scope);
    if (!definition.takesEmpty && isEmpty(value)) return value;
    const apply =
      format ??
      bindLate(
        definition,
        args.map((arg) => arg(scope)),
      );
    return apply(value, scope.context);
  };
}

/** An argument out of the data may be wrong: then the value prints as it is. */
function bindLate(
  definition: FilterDefinition,
  args: readonly unknown[],
): Format {
  try {
    return definition.bind(args);
  } catch (error) {
    problemOf(error);
    return (value) => value;
  }
}
