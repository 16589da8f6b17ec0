import type { Problem } from "../../plugin-api/index.js";
import type { Tree, TreeNode } from "./tree.js";

/** Second pass: an `id` and a `collectionId` each name one component of the template. */
export function checkIds(tree: Tree): Problem[] {
  const sound = tree.all.filter((node) => node.isSound);
  return [
    ...duplicates(sound, "id", (node) => node.component.id),
    ...duplicates(
      sound,
      "collection.collectionId",
      (node) => node.component.collection?.collectionId,
    ),
  ];
}

function duplicates(
  nodes: readonly TreeNode[],
  property: string,
  nameOf: (node: TreeNode) => string | undefined,
): Problem[] {
  const firsts = new Map<string, TreeNode>();
  return nodes.flatMap((node) => {
    const name = nameOf(node);
    if (name === undefined) return [];
    const first = firsts.get(name);
    if (first === undefined) {
      firsts.set(name, node);
      return [];
    }
    return [
      {
        path: `${node.path}.${property}`,
        code: "duplicate_id",
        message: `${JSON.stringify(name)} is already the ${property.split(".").at(-1)} of ${first.path}.`,
        hint: "Give this one a name of its own.",
      },
    ];
  });
}
