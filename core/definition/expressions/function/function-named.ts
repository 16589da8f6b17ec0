import { dateFunctions } from "./date-functions.js";
import type { FunctionDefinition } from "./function-definition.js";
import { numberFunctions } from "./number-functions.js";
import { textFunctions } from "./text-functions.js";

const functions: ReadonlyMap<string, FunctionDefinition> = new Map(
  Object.entries({ ...numberFunctions, ...textFunctions, ...dateFunctions }),
);

/** The closed list of functions, aggregates apart. */
export const FUNCTION_NAMES: readonly string[] = [...functions.keys()];

/** How each is written, with all its arguments. */
export const FUNCTION_USAGES: readonly string[] = Array.from(
  functions.values(),
  ({ usage }) => usage,
);

export function functionNamed(name: string): FunctionDefinition | null {
  return functions.get(name) ?? null;
}
