import type { Logic } from "../../../../../../core/plugin-api/definition.js";
import type { PathOption } from "../scope/field-options.js";
import type { LogicUse } from "./rule-options.js";

/** What every rule of a logic is changed with. */
export interface LogicDesk {
  /** All of it. */
  logic: Logic;
  owner: string;
  where: LogicUse;
  options: readonly PathOption[];
  onChange: (logic: Logic, thread: string | null) => void;
}

/** What a person calls a rule by: "Rule 2", and in a group "Rule 2.1". */
export function numberOf(path: readonly number[]): string {
  return path.map((index) => index + 1).join(".");
}
