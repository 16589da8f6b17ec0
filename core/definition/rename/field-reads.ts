import { rootTypes } from "../expressions/index.js";
import { checkBindings } from "../validation/check-bindings.js";
import { checkDocument } from "../validation/check-document.js";
import { checkShape } from "../validation/check-shape.js";
import type { FoundRead } from "../validation/report.js";
import { soundParts } from "../validation/sound-parts.js";
import { buildTree } from "../validation/tree.js";

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
