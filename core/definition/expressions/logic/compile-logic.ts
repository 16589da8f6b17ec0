import type { Logic } from "../../schema/data-schema.js";
import type { ScopeTypes } from "../schema/scope-types.js";
import { compileRules, type Condition } from "./compile-rules.js";

/** The condition of an element. @throws PlatenError `invalid_definition` for what the checker refuses */
export function compileLogic(
  logic: Logic,
  where: string,
  types: ScopeTypes,
): Condition {
  return compileRules(logic, { where, types, reach: "scope" });
}
