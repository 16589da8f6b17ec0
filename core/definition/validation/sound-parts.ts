import type { DataCollection } from "../schema/data-schema.js";
import type { ProjectData } from "../schema/project-data.js";
import type { ShapeProblem } from "./check-shape.js";
import { hidesMeaning } from "./tree.js";

/** The well-formed top-level parts of unchecked input, without its components: those stand in the tree. */
export function soundParts(
  input: unknown,
  shape: readonly ShapeProblem[],
): ProjectData {
  const broken = new Set(shape.filter(hidesMeaning).map(({ keys }) => keys[0]));
  const parts = Object.entries(input ?? {}).filter(([key]) => !broken.has(key));
  const sound = Object.fromEntries(parts) as Partial<ProjectData>;
  const schema: DataCollection[] = sound.schema ?? [];
  return { ...sound, schema, components: [] };
}
