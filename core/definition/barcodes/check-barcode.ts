import { PlatenError } from "../../plugin-api/index.js";
import { checkValue } from "./barcode-value.js";
import { encodeGrid } from "./encode-barcode.js";
import { isMatrix, type MatrixSymbology, type Symbology } from "./symbology.js";

/** What is wrong with a value for this barcode, or null: for values that stand as literals in a definition. */
export function checkBarcode(
  value: string,
  symbology: Symbology,
): string | null {
  if (isMatrix(symbology)) return findMatrixProblem(value, symbology);
  const checked = checkValue(value, symbology);
  return "problem" in checked ? checked.problem : null;
}

/** Only its encoding tells whether a matrix barcode has room for a value. */
function findMatrixProblem(
  value: string,
  symbology: MatrixSymbology,
): string | null {
  try {
    encodeGrid(value, symbology);
    return null;
  } catch (error) {
    if (error instanceof PlatenError) return error.message;
    throw error;
  }
}
