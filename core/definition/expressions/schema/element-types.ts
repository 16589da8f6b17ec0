import type { PathNode } from "../parse/ast.js";
import { UNDECLARED } from "./record-type.js";
import { resolvePath } from "./resolve-path.js";
import type { ScopeTypes } from "./scope-types.js";
import { walkShape } from "./walk-shape.js";

/** The types inside the elements of the collection at a path. */
export function elementTypes(
  path: PathNode,
  types: ScopeTypes,
  reach: "scope" | "item",
  id: string,
): ScopeTypes {
  const resolved = resolvePath(path, types, reach);
  const shape = resolved && walkShape(resolved).shape;
  const record = shape && "record" in shape ? shape.record : UNDECLARED;
  return { id, parent: types, record, isGrouped: false };
}
