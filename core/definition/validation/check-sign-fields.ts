import type { Problem } from "../../plugin-api/index.js";
import type { Tree } from "./tree.js";

/** Second pass: a field to choose in offers something. */
export function checkSignFields(tree: Tree): Problem[] {
  return tree.all.flatMap(({ component, path, isSound }) => {
    if (!isSound || component.type !== "sign-field") return [];
    const { field, options = [] } = component;
    if (field !== "select" || options.length > 0) return [];
    return [
      {
        path: `${path}.options`,
        code: "missing_property",
        message:
          'A sign-field of the kind "select" has nothing to choose from.',
        hint: 'Add it: an array of words, such as ["Yes", "No"].',
      },
    ];
  });
}
