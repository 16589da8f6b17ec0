import type { Repeat } from "../../schema/data-schema.js";
import { parsePath } from "../parse/parse-expression.js";
import { elementTypes } from "./element-types.js";
import { ANY, groupType } from "./record-type.js";
import type { ScopeTypes } from "./scope-types.js";

/** The types inside a collection: those of its elements, or of its groups. @throws for a path that does not parse */
export function repeatTypes(repeat: Repeat, types: ScopeTypes): ScopeTypes {
  const { path, collectionId, groupBy } = repeat;
  const { node } = parsePath(path);
  const inside = elementTypes(node, types, "scope", collectionId);
  if (!groupBy) return inside;
  const record = groupType(inside.record, ANY);
  return { ...inside, record, isGrouped: true };
}
