import type { Json } from "../../../../../../core/plugin-api/definition.js";

/** The fields of a value; none of what is no record. */
export function recordOf(value: Json): { [key: string]: Json } {
  const isRecord =
    typeof value === "object" && value !== null && !Array.isArray(value);
  return isRecord ? value : {};
}
