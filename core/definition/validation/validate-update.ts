import type { Problem } from "../../plugin-api/index.js";
import type { ProjectData } from "../schema/definition-schema.js";
import { buildTree } from "./component-tree.js";

/**
 * Checks that an update keeps the `collectionId` of every component that keeps its id, because other expressions refer
 * to it.
 * @returns the problems of `next`; `checkDefinition` must have accepted both
 */
export function validateTemplateUpdate(
  previous: ProjectData,
  next: ProjectData,
): Problem[] {
  const before = collectionIds(previous);
  return buildTree(next, []).all.flatMap(({ component, path }) => {
    const { id, collection } = component;
    const known = id === undefined ? undefined : before.get(id);
    if (known === undefined || collection === undefined) return [];
    if (collection.collectionId === known) return [];
    return [
      {
        path: `${path}.collection.collectionId`,
        code: "changed_collection_id",
        message: `The collectionId of this component is "${known}" and cannot be changed to "${collection.collectionId}".`,
        hint: `Write "${known}", or give the component a new id.`,
      },
    ];
  });
}

function collectionIds(definition: ProjectData): Map<string, string> {
  const nodes = buildTree(definition, []).all;
  return new Map(
    nodes.flatMap(({ component: { id, collection } }) =>
      id === undefined || collection === undefined
        ? []
        : [[id, collection.collectionId]],
    ),
  );
}
