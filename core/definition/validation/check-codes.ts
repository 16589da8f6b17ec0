import type { Problem } from "../../plugin-api/index.js";
import { checkBarcode } from "../barcodes/check-barcode.js";
import type { Tree } from "./tree.js";

/** Second pass: a barcode whose value is the same for every record can carry it. */
export function checkCodes(tree: Tree): Problem[] {
  return tree.all.flatMap(({ component, path, isSound }) => {
    if (!isSound || component.type !== "barcode") return [];
    const { value, symbology } = component;
    // Braces may be an expression, and one that does not parse.
    if (value.includes("{{")) return [];
    const message = checkBarcode(value, symbology);
    return message === null
      ? []
      : [{ path: `${path}.value`, code: "wrong_value", message }];
  });
}
