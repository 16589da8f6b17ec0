import type { Logic } from "../../schema/data-schema.js";
import { compileRules } from "../logic/compile-rules.js";
import { evaluateEach, type Pass, type PassSetting } from "./pass.js";

export function filterPass(logic: Logic, setting: PassSetting): Pass {
  const holds = compileRules(logic, { ...setting, reach: "item" });
  const { id } = setting.types;
  return (elements, scope) => {
    const kept = evaluateEach(elements, scope, id, holds);
    return elements.filter((_, index) => kept[index]);
  };
}
