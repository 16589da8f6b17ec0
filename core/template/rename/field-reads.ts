import { rootTypes } from "../binding/index.js";
import { checkBindings } from "../check/check-bindings.js";
import { checkDocument } from "../check/check-document.js";
import { checkShape } from "../check/check-shape.js";
import type { FoundRead } from "../check/report.js";
import { soundParts } from "../check/sound-parts.js";
import { buildTree } from "../check/tree.js";

/** Every path that a definition reads, as the checker finds them; what is ill-formed reads nothing. */
export function readsOf(input: unknown): FoundRead[] {
  const shape = checkShape(input);
  const definition = soundParts(input, shape);
  const types = rootTypes(definition.schema);
  const reads: FoundRead[] = [];
  const findings = { problems: [], warnings: [], reads };
  checkDocument(definition, types, findings);
  checkBindings(buildTree(input, shape), types, findings);
  return reads;
}
