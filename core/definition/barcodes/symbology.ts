import type { ComponentOf } from "../../plugin-api/index.js";

export type Symbology = ComponentOf<"barcode">["symbology"];

interface SymbologyFacts {
  /** Its name as people write it. */
  name: string;
  /** Width of the narrowest bar, or side of a module, in millimetres as usually printed. */
  moduleMm: number;
  /** Light space that a reader needs at the left and right, in modules. */
  quiet: readonly [left: number, right: number];
}

/** Bars in one row; height free. */
export type LinearSymbology = Exclude<Symbology, MatrixSymbology>;
/** Modules in rows and columns; proportions fixed. */
export type MatrixSymbology = "datamatrix" | "pdf417";

export const SYMBOLOGIES: Record<Symbology, SymbologyFacts> = {
  code128: { name: "Code 128", moduleMm: 0.33, quiet: [10, 10] },
  code39: { name: "Code 39", moduleMm: 0.33, quiet: [10, 10] },
  ean13: { name: "EAN-13", moduleMm: 0.33, quiet: [11, 7] },
  ean8: { name: "EAN-8", moduleMm: 0.33, quiet: [7, 7] },
  upca: { name: "UPC-A", moduleMm: 0.33, quiet: [9, 9] },
  itf14: { name: "ITF-14", moduleMm: 0.5, quiet: [10, 10] },
  datamatrix: { name: "Data Matrix", moduleMm: 0.5, quiet: [2, 2] },
  pdf417: { name: "PDF417", moduleMm: 0.33, quiet: [2, 2] },
};

export function isMatrix(symbology: Symbology): symbology is MatrixSymbology {
  return symbology === "datamatrix" || symbology === "pdf417";
}
