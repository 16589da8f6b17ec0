import type {
  Component,
  ProjectData,
} from "../../../../../../core/plugin-api/definition.js";
import { withFreeNames } from "../model/clipboard/rename-collections.js";

/** How many places in a component read the elements of its collection by their name. */
export function nameUses(
  component: Component,
  schema: ProjectData["schema"],
): number {
  const { collection } = component;
  if (!collection) return 0;
  const taken = new Set([collection.collectionId]);
  const [renamed] = withFreeNames([component], taken, schema);
  const groups = collection.groupBy ? groupUses(component) : 0;
  // The collection's own name is one of the differences.
  return differences(component, renamed) - 1 + groups;
}

function differences(one: unknown, other: unknown): number {
  if (one === other) return 0;
  const isBranch = typeof one === "object" && one !== null;
  if (!isBranch || typeof other !== "object" || other === null) return 1;
  return Object.keys(one)
    .map((key) => differences(Reflect.get(one, key), Reflect.get(other, key)))
    .reduce((sum, count) => sum + count, 0);
}

function groupUses({ collection: _own, ...rest }: Component): number {
  return JSON.stringify(rest).match(/\bgroup\s*[.[]/g)?.length ?? 0;
}
