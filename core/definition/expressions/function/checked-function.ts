import type { PlatenError } from "../../../plugin-api/index.js";
import type { CallNode, Node } from "../parse/ast.js";
import { bindingError } from "../problem.js";
import { didYouMean } from "../schema/suggestion.js";
import { AGGREGATE_NAMES } from "./aggregates.js";
import type { FunctionDefinition } from "./function-definition.js";
import { FUNCTION_NAMES, functionNamed } from "./function-named.js";

/** @throws PlatenError `invalid_definition` for an unknown function or arguments that it does not take. */
export function checkedFunction(
  node: CallNode,
  source: string,
): FunctionDefinition {
  const { name, args } = node;
  const definition = functionNamed(name);
  if (!definition) throw unknownFunction(node, source);
  const { least, most, usage, check } = definition;
  checkCount(node, source, { least, most, usage });
  const message = check?.(args.map(literalOf));
  if (message) throw callError(node, source, `${name}: ${message}`, usage);
  return definition;
}

/** The value of a literal argument; undefined when only the data will tell. */
export function literalOf(node: Node): unknown {
  return node.kind === "literal" ? node.value : undefined;
}

/** @throws PlatenError `invalid_definition` when a call has too few or too many arguments. */
export function checkCount(
  node: CallNode,
  source: string,
  { least, most, usage }: { least: number; most: number; usage: string },
): void {
  const { length } = node.args;
  if (length >= least && length <= most) return;
  const wanted = least === most ? `${least}` : `${least} to ${most}`;
  const noun = wanted === "1" ? "argument" : "arguments";
  const message = `${node.name} takes ${wanted} ${noun}, not ${length}.`;
  throw callError(node, source, message, usage);
}

export function callError(
  node: CallNode,
  source: string,
  message: string,
  usage: string,
): PlatenError {
  const hint = `Write ${usage}.`;
  const column = node.start + 1;
  const expression = source;
  const code = "invalid_arguments";
  return bindingError({ code, message, hint, expression, column });
}

function unknownFunction({ name, start }: CallNode, source: string) {
  const known = [...AGGREGATE_NAMES, ...FUNCTION_NAMES];
  const { hint } = didYouMean(name, known);
  return bindingError({
    code: "unknown_function",
    message: `There is no function "${name}".`,
    hint: hint ?? `The functions are ${known.join(", ")}.`,
    expression: source,
    column: start + 1,
  });
}
