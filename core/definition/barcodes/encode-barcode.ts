// The export named `raw` is a symbology; the function that returns bars is a member of the default export.
// oxlint-disable import/no-named-as-default-member
import bwipjs from "@bwip-js/node";
import { PlatenError } from "../../plugin-api/index.js";
import { checkValue } from "./barcode-value.js";
import type { ModuleGrid } from "./module-grid.js";
import { quotedValue } from "./quoted-value.js";
import {
  SYMBOLOGIES,
  type LinearSymbology,
  type MatrixSymbology,
  type Symbology,
} from "./symbology.js";

/** Widths in modules: a bar, a space, and so on to the last bar. */
export interface Bars {
  /** What is encoded, with its check digit. */
  value: string;
  widths: readonly number[];
  /** True for a bar (0-based, spaces not counted) that reaches down beside the digits. */
  isGuard(bar: number): boolean;
}

const limits: Record<MatrixSymbology, string> = {
  datamatrix: "3116 digits, 2335 capital letters or 1550 bytes",
  pdf417: "2710 digits, 1850 capital letters or 1100 bytes",
};

/** Width of ITF-14's wide elements: GS1 asks for 2.5 modules, where the library counts 2. */
const ITF_WIDE = 2.5;

/** The bars of a linear barcode. Throws `merge_failed` for a value that it cannot carry. */
export function encodeBars(value: string, symbology: LinearSymbology): Bars {
  const text = acceptedValue(value, symbology);
  const [symbol] = bwipjs.raw({ bcid: symbology, text, includetext: true });
  if (symbol === undefined || !("sbs" in symbol))
    throw new PlatenError("internal", `bwip-js drew no bars for ${symbology}.`);
  const { sbs, bhs } = symbol;
  const wide = symbology === "itf14" ? ITF_WIDE : 2;
  const shortest = Math.min(...bhs);
  return {
    value: text,
    widths: sbs.map((width) => (width === 2 ? wide : width)),
    isGuard: (bar) => (bhs[bar] ?? shortest) > shortest,
  };
}

/** The modules of a matrix barcode. Throws `merge_failed` for a value that it cannot carry. */
export function encodeGrid(
  value: string,
  symbology: MatrixSymbology,
): ModuleGrid {
  const [symbol] = encodeMatrix(acceptedValue(value, symbology), symbology);
  if (symbol === undefined || !("pixs" in symbol))
    throw new PlatenError("internal", `bwip-js drew no ${symbology}.`);
  const { pixs, pixx, pixy } = symbol;
  return {
    columns: pixx,
    rows: pixy,
    isDark: (column, row) => pixs[row * pixx + column] === 1,
  };
}

function acceptedValue(value: string, symbology: Symbology): string {
  const checked = checkValue(value, symbology);
  if ("value" in checked) return checked.value;
  throw new PlatenError("merge_failed", checked.problem);
}

/** The value was checked, so that the one fault left for the library to find is its length. */
function encodeMatrix(value: string, symbology: MatrixSymbology) {
  try {
    return bwipjs.raw({
      bcid: symbology,
      text: withEncoding(value),
      parsefnc: true,
    });
  } catch (cause) {
    throw new PlatenError(
      "merge_failed",
      `${SYMBOLOGIES[symbology].name} ${quotedValue(value)} is too long: it has ${Buffer.byteLength(value)} bytes, and at most about ${limits[symbology]} fit.`,
      { cause },
    );
  }
}

/** Readers take bytes for Latin-1 unless an ECI says that they are UTF-8; with `parsefnc`, ^ writes itself twice. */
function withEncoding(value: string): string {
  const escaped = value.replaceAll("^", "^^");
  return /^\p{ASCII}*$/u.test(value) ? escaped : `^ECI000026${escaped}`;
}
