import { dateFilters } from "./date-filter.js";
import { markupFilters, textFilters } from "./text-filters.js";
import { numberFilters } from "./number-filters.js";
import { wordFilters } from "./word-filters.js";
import { literalOf } from "../functions.js";
import type { FilterNode } from "../parse/ast.js";
import { bindingError, getProblem, didYouMean } from "../problem.js";
import type { FilterDefinition } from "./filter-definition.js";

const filters: ReadonlyMap<string, FilterDefinition> = new Map(
  Object.entries({
    ...numberFilters,
    ...dateFilters,
    ...textFilters,
    ...markupFilters,
    ...wordFilters,
  }),
);

/** The closed list of filters. */
export const FILTER_NAMES: readonly string[] = [...filters.keys()];

/** The syntax of each with all arguments. */
export const FILTER_USAGES: readonly string[] = Array.from(
  filters.values(),
  ({ usage }) => usage,
);

/** @throws PlatenError `invalid_definition` for an unknown filter or arguments that it does not take. */
export function resolveFilter(
  node: FilterNode,
  source: string,
): FilterDefinition {
  const { name, args } = node;
  const at = { expression: source, column: node.nameStart + 1 };
  const definition = filters.get(name);
  if (!definition) throw bindingError({ ...unknownFilter(name), ...at });
  const { min, max, usage } = definition;
  if (args.length < min || args.length > max) {
    const wanted = min === max ? `${min}` : `${min} to ${max}`;
    const noun = wanted === "1" ? "argument" : "arguments";
    const message = `The filter ${name} takes ${wanted} ${noun}, not ${args.length}.`;
    const hint = `Write ${usage}.`;
    throw bindingError({ code: "invalid_arguments", message, hint, ...at });
  }
  try {
    definition.bind(args.map(literalOf));
  } catch (error) {
    throw bindingError({
      hint: `Write ${usage}.`,
      ...getProblem(error),
      ...at,
    });
  }
  return definition;
}

function unknownFilter(name: string) {
  const { hint } = didYouMean(name, FILTER_NAMES);
  return {
    code: "unknown_filter",
    message: `Unknown filter "${name}".`,
    hint: hint ?? `The filters are ${FILTER_NAMES.join(", ")}.`,
  };
}
