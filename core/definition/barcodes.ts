import bwipjs from "@bwip-js/node";
import { PlatenError, type ComponentOf } from "../plugin-api/index.js";
import { countCharacters, type ElementString, readElements } from "./gs1.js";

/** The dark and light squares of a matrix code, row by row, each one unit wide and high. */
interface ModuleGrid {
  columns: number;
  rows: number;
  isDark(column: number, row: number): boolean;
}

/**
 * SVG path data that draws the dark modules as one stroke of width 1 per run, relative to the top left module.
 * One path, because abutting shapes of several paths show hairlines between them in PDF viewers.
 */
export function gridPath(grid: ModuleGrid, x: number, y: number): string {
  let path = "";
  for (let row = 0; row < grid.rows; row++) path += rowPath(grid, row, x, y);
  return path;
}

function rowPath(grid: ModuleGrid, row: number, x: number, y: number): string {
  let path = "";
  let end = 0;
  for (let column = 0; column < grid.columns; column++) {
    if (!grid.isDark(column, row)) continue;
    const start = column;
    while (column < grid.columns && grid.isDark(column, row)) column++;
    path +=
      path === "" ? `M${x + start} ${y + row + 0.5}` : `m${start - end} 0`;
    path += `h${column - start}`;
    end = column;
  }
  return path;
}

// The export named `raw` is a symbology; the function that returns bars is a member of the default export.
// oxlint-disable import/no-named-as-default-member

/** The widths of bars and spaces in modules, starting and ending with a bar. */
export interface Bars {
  /** The encoded value with its check digit, as people read it. */
  value: string;
  widths: readonly number[];
  /** True for a bar (0-based, spaces not counted) that extends down beside the digits. */
  isGuard(bar: number): boolean;
}

const limits: Record<Exclude<MatrixSymbology, Gs1Symbology>, string> = {
  datamatrix: "3116 digits, 2335 capital letters or 1550 bytes",
  pdf417: "2710 digits, 1850 capital letters or 1100 bytes",
};

/** The width of wide elements in ITF-14: GS1 requires 2.5 modules, but the library uses 2. */
const ITF_WIDE = 2.5;

/** Throws `merge_failed` for a value that the symbology cannot encode. */
export function encodeBars(value: string, symbology: LinearSymbology): Bars {
  const { text, symbol } = encodeLinear(value, symbology);
  if (symbol === undefined || !("sbs" in symbol))
    throw new PlatenError(
      "internal",
      `bwip-js returned no bars for ${symbology}.`,
    );
  const { sbs, bhs } = symbol;
  const wide = symbology === "itf14" ? ITF_WIDE : 2;
  const shortest = Math.min(...bhs);
  return {
    value: text,
    widths: sbs.map((width) => (width === 2 ? wide : width)),
    isGuard: (bar) => (bhs[bar] ?? shortest) > shortest,
  };
}

function encodeLinear(value: string, symbology: LinearSymbology) {
  if (symbology === "gs1-128") {
    const { lines, symbol } = encodeGs1(value, symbology);
    return { text: lines.join(""), symbol };
  }
  const text = acceptedValue(value, symbology);
  const [symbol] = bwipjs.raw({ bcid: symbology, text, includetext: true });
  return { text, symbol };
}

/**
 * Encodes the value, and lists the lines in which people read it. Throws `merge_failed` for a value that the symbology
 * cannot encode.
 */
export function encodeGrid(
  value: string,
  symbology: MatrixSymbology,
): ModuleGrid & { lines: readonly string[] } {
  const { lines, symbol } =
    symbology === "gs1datamatrix"
      ? encodeGs1(value, symbology)
      : encodeMatrix(acceptedValue(value, symbology), symbology);
  if (symbol === undefined || !("pixs" in symbol))
    throw new PlatenError("internal", `bwip-js returned no ${symbology}.`);
  const { pixs, pixx, pixy } = symbol;
  // The rows of a PDF417 are listed once, and are several modules high.
  const rowHeight = (pixy * pixx) / pixs.length;
  return {
    lines,
    columns: pixx,
    rows: pixy,
    isDark: (column, row) =>
      pixs[Math.floor(row / rowHeight) * pixx + column] === 1,
  };
}

function acceptedValue(value: string, symbology: Symbology): string {
  const checked = checkValue(value, symbology);
  if ("value" in checked) return checked.value;
  throw new PlatenError("merge_failed", checked.problem);
}

/** The value is already checked, so the only problem that the library can find is its length. */
function encodeMatrix(
  value: string,
  symbology: Exclude<MatrixSymbology, Gs1Symbology>,
) {
  try {
    const text = withEncoding(value);
    const [symbol] = bwipjs.raw({ bcid: symbology, text, parsefnc: true });
    return { lines: [value], symbol };
  } catch (cause) {
    throw new PlatenError(
      "merge_failed",
      `${SYMBOLOGIES[symbology].name} ${quotedValue(value)} is too long: it has ${Buffer.byteLength(value)} bytes, but the limit is about ${limits[symbology]}.`,
      { cause },
    );
  }
}

/** Scanners read bytes as Latin-1 unless an ECI declares UTF-8; with `parsefnc`, ^ is escaped as ^^. */
function withEncoding(value: string): string {
  const escaped = value.replaceAll("^", "^^");
  return /^\p{ASCII}*$/u.test(value) ? escaped : `^ECI000026${escaped}`;
}

/** GS1 General Specifications, 5.4.1: with FNC1 between elements. */
const maxGs1Characters = 48;

/** Throws `merge_failed`, naming the application identifier that is wrong. */
function encodeGs1(value: string, symbology: Gs1Symbology) {
  const refuse = (reason: string, cause?: unknown) =>
    new PlatenError(
      "merge_failed",
      `${SYMBOLOGIES[symbology].name} ${quotedValue(value)} ${reason}`,
      { cause },
    );
  const accepted = acceptedValue(value, symbology);
  const elements = readElements(accepted);
  if (/^(?:\d{8}|\d{12,14})$/.test(accepted) && hasCheckDigit(accepted))
    throw refuse(
      `is the number of an article without its application identifier. Write (01)${accepted.padStart(14, "0")}, or another identifier in parentheses before its value.`,
    );
  if (typeof elements === "string")
    throw refuse(
      `has no application identifier at ${quotedValue(elements)}. Write each in parentheses before its value, as in (01)09506000134352(10)ABC.`,
    );
  const spaced = elements.find((element) => /\s/.test(element.value));
  if (spaced)
    throw refuse(
      `is wrong at (${spaced.ai}): its value has ${findWrong(spaced.value, /\S/)}. GS1 allows no spaces.`,
    );
  const count = countCharacters(elements);
  if (symbology === "gs1-128" && count > maxGs1Characters)
    throw refuse(
      `has ${count} characters. At most ${maxGs1Characters} are allowed. Use two barcodes, or a GS1 DataMatrix.`,
    );
  // The library reads parentheses as those of identifiers.
  const text = elements
    .map(({ ai, value: content }) => `(${ai})${escapeGs1(content)}`)
    .join("");
  try {
    const [symbol] = bwipjs.raw({ bcid: symbology, text, parse: true });
    const lines = elements.map(({ ai, value: content }) => `(${ai})${content}`);
    return { lines, symbol };
  } catch (cause) {
    throw refuse(describeGs1Error(String(cause), elements), cause);
  }
}

function escapeGs1(value: string): string {
  return value.replaceAll(
    /[()^]/g,
    (character) => `^0${character.charCodeAt(0)}`,
  );
}

const gs1Reasons: Readonly<Record<string, string>> = {
  GS1unknownAI: "GS1 has no such application identifier",
  GS1valueTooShort: "its value is too short",
  GS1valueTooLong: "its value is too long",
  GS1badChecksum: "its check digit is wrong",
  GS1notNumeric: "only digits are allowed",
  GS1badCSET39character:
    "only the letters A to Z, digits and # - / are allowed",
  GS1badCSET82character:
    "only the letters A to Z and a to z, digits and ! \" % & ' ( ) * + , - . / _ : ; < = > ? are allowed",
};
/** Those whose value is a number that ends with its check digit. */
const checkedIdentifier = /^(?:0[0-3]|402|41\d|801[78])$/;

function describeGs1Error(
  error: string,
  elements: readonly ElementString[],
): string {
  const [, code = "", ai, message = error] =
    /bwipp\.(\w+)#\d+: (?:AI (\w+): )?(.*)$/.exec(error) ?? [];
  if (ai === undefined) return `is wrong: ${describeGs1Rule(message)}.`;
  const wrong = elements.find(
    (element) =>
      element.ai === ai &&
      checkedIdentifier.test(ai) &&
      !hasCheckDigit(element.value),
  );
  if (code === "GS1valueTooShort" && checkedIdentifier.test(ai))
    return `is wrong at (${ai}): its value is too short. It ends with a check digit, which is not added.`;
  const reason =
    wrong && code === "GS1badChecksum"
      ? `its check digit is ${wrong.value.slice(-1)}, but the correct one is ${checkDigit(wrong.value.slice(0, -1))}`
      : (gs1Reasons[code] ?? message.toLowerCase());
  return `is wrong at (${ai}): ${reason}.`;
}

/** What the library says of identifiers that must, or must not, be in one code. */
function describeGs1Rule(message: string): string {
  const [, ai, others] =
    /^One of more requisite AIs for AI (\S+) are missing: (.*)$/.exec(
      message,
    ) ?? [];
  return others === undefined
    ? message
        .replace(/^AIs (.*) are mutually exclusive$/, "$1 exclude each other")
        .replace("Repeated AIs", "repeated application identifiers")
    : `${ai} must be with the application identifier ${others.replaceAll(" OR ", " or ").replaceAll(" WITH ", ", together with ")}`;
}

export type Symbology = ComponentOf<"barcode">["symbology"];

interface SymbologyFacts {
  name: string;
  /** Width of the narrowest bar, or side of a module, in millimeters at the usual print size. */
  moduleMm: number;
  /** The quiet zone at the left and right, in modules. */
  quiet: readonly [left: number, right: number];
}

/** Bars in one row, of any height. */
export type LinearSymbology = Exclude<Symbology, MatrixSymbology>;
/** Modules in rows and columns, with fixed proportions. */
export type MatrixSymbology = "datamatrix" | "gs1datamatrix" | "pdf417";
type Gs1Symbology = "gs1-128" | "gs1datamatrix";

export const SYMBOLOGIES: Record<Symbology, SymbologyFacts> = {
  code128: { name: "Code 128", moduleMm: 0.33, quiet: [10, 10] },
  code39: { name: "Code 39", moduleMm: 0.33, quiet: [10, 10] },
  ean13: { name: "EAN-13", moduleMm: 0.33, quiet: [11, 7] },
  ean8: { name: "EAN-8", moduleMm: 0.33, quiet: [7, 7] },
  upca: { name: "UPC-A", moduleMm: 0.33, quiet: [9, 9] },
  itf14: { name: "ITF-14", moduleMm: 0.5, quiet: [10, 10] },
  "gs1-128": { name: "GS1-128", moduleMm: 0.5, quiet: [10, 10] },
  datamatrix: { name: "Data Matrix", moduleMm: 0.5, quiet: [2, 2] },
  gs1datamatrix: { name: "GS1 DataMatrix", moduleMm: 0.5, quiet: [2, 2] },
  pdf417: { name: "PDF417", moduleMm: 0.33, quiet: [2, 2] },
};

export function isMatrix(symbology: Symbology): symbology is MatrixSymbology {
  return ["datamatrix", "gs1datamatrix", "pdf417"].includes(symbology);
}

/**
 * The narrowest bar or module that is not reported: four dots at 600 dpi, the finest that DENSO WAVE lists for QR codes
 * (qrcode.com/en/howto/cell.html), and the smallest X-dimension of GS1-128 in the GS1 General Specifications (0.170 mm,
 * table 6, small medical products). Retail needs 0.264 mm.
 */
const minModuleMm = 0.17;
/** Measured with ZXing: bars that are two pixels wide are read wherever they begin, and narrower ones are sometimes not. */
const minModulePixels = 2;
/** Lengths are rounded, in images to whole CSS pixels. */
const tolerance = 0.97;

/** A code as it is printed. */
export interface PrintedCode {
  name: string;
  /** Its width with the quiet zones, in modules and in millimeters. */
  modules: number;
  widthMm: number;
  /** The height of the drawing as its property says, if it does, and the least that its bars and its text need. */
  height?: { mm: number; leastMm: number } | undefined;
}

/** The lowest bars that are drawn, in modules: 2.6 mm at the usual size. */
export const MIN_BAR_HEIGHT = 8;
/** The room for the text below bars, in modules. */
export const BAR_TEXT_HEIGHT = 10;

/**
 * Describes why printers or scanners fail on a code that is too small, or why it is higher than its property says; null
 * when it is large enough.
 * @param imageScale pixels for each CSS pixel, when the document becomes an image
 */
export function describeSmallCode(
  { name, modules, widthMm, height }: PrintedCode,
  imageScale?: number,
): string | null {
  const moduleMm = widthMm / modules;
  if (moduleMm < minModuleMm * tolerance)
    return `The ${name} is ${Number(widthMm.toFixed(1))} mm wide and has ${Math.round(modules)} modules side by side, each ${Number(moduleMm.toPrecision(2))} mm wide. Printers and scanners need ${minModuleMm} mm. Make it at least ${Math.ceil(modules * minModuleMm)} mm wide, or encode less.`;
  if (height && height.mm < height.leastMm * tolerance)
    return `The ${name} is to be ${Number(height.mm.toFixed(1))} mm high. Make it at least ${Math.ceil(height.leastMm * 10) / 10} mm high, which its bars and the text below need, or leave out its height or text.`;
  // A smaller picture is a thumbnail, whose texts cannot be read either.
  if (imageScale === undefined || imageScale < 1) return null;
  const pixels = (moduleMm / 25.4) * 96 * imageScale;
  if (pixels >= minModulePixels * tolerance) return null;
  const scale = Math.ceil((imageScale * minModulePixels * 10) / pixels) / 10;
  return `The modules of the ${name} are ${Number(pixels.toPrecision(2))} pixels wide in the image. Readers need ${minModulePixels}. Set renderOptions.deviceScaleFactor to ${scale}, or make the code wider.`;
}

/**
 * The size of a barcode with its quiet zones and without its text, in modules; no rows for bars, which may have any
 * height. Throws `merge_failed` for a value that the symbology cannot encode.
 */
export function measureBarcode(
  value: string,
  symbology: Symbology,
): { columns: number; rows: number | null } {
  const [before, after] = SYMBOLOGIES[symbology].quiet;
  const quiet = before + after;
  if (isMatrix(symbology)) {
    const { columns, rows } = encodeGrid(value, symbology);
    return { columns: columns + quiet, rows: rows + quiet };
  }
  const { widths } = encodeBars(value, symbology);
  const columns = widths.reduce((sum, width) => sum + width, quiet);
  return { columns, rows: null };
}

// The values that each symbology can encode. The messages replace those of the library, which are for programmers.

type CheckedValue = { value: string } | { problem: string };

/** Number of digits including the check digit. */
const digitCounts: Partial<Record<Symbology, number>> = {
  ean13: 13,
  ean8: 8,
  upca: 12,
  itf14: 14,
};

/**
 * What lacks a digit may be a whole number of another kind, which lacks a leading zero: a UPC-A as EAN-13, unless it
 * begins as books (978, 979) or a UPC-A that GS1 does not assign (5); a UPC-A that was a number; an EAN-13 as ITF-14.
 */
const otherReadings: Partial<Record<Symbology, RegExp>> = {
  ean13: /^(?!97[89]|5)/,
  upca: /^[1-9]/,
  itf14: /^/,
};

/** Longer barcodes are wider than a page and unreadable for hand scanners. */
const maxLength: Partial<Record<Symbology, number>> = {
  code128: 80,
  code39: 50,
};

/** Those that encode blanks around a value. In Code 39, they are lost at the end of a cell rather than meant. */
const keepsBlanks = new Set<Symbology>(["code128", "datamatrix", "pdf417"]);

/** Returns the value to encode, without blanks around it and with a missing check digit added, or the problem. */
function checkValue(given: string, symbology: Symbology): CheckedValue {
  const { name } = SYMBOLOGIES[symbology];
  const value = keepsBlanks.has(symbology) ? given : given.trim();
  if (value === "")
    return {
      problem: `The ${name} barcode has no value. Add a value, or a condition that hides the barcode.`,
    };
  const count = digitCounts[symbology];
  if (count !== undefined) return checkNumber(value, symbology, count);
  const problem = findProblem(value, symbology);
  return problem === null
    ? { value }
    : { problem: `${name} ${quotedValue(value)} ${problem}` };
}

function checkNumber(
  value: string,
  symbology: Symbology,
  count: number,
): CheckedValue {
  const about = `${SYMBOLOGIES[symbology].name} ${quotedValue(value)}`;
  const wrong = findWrong(value, /\d/);
  if (wrong !== null)
    return {
      problem: `${about} has ${wrong}. Only the digits 0 to 9 are allowed.`,
    };
  const padded = value.padStart(count, "0");
  if (value.length !== count && value.length !== count - 1) {
    const hint =
      value.length < count && value.length > 5 && hasCheckDigit(value)
        ? ` If it lost leading zeros, as numbers do, use a field of type String with ${padded}.`
        : "";
    return {
      problem: `${about} has ${value.length} digits. It needs ${count}, or ${count - 1} without the check digit.${hint}`,
    };
  }
  const body = value.slice(0, count - 1);
  const right = checkDigit(body);
  const completed = body + right;
  if (
    value.length < count &&
    hasCheckDigit(value) &&
    otherReadings[symbology]?.test(value) &&
    padded !== completed
  )
    return {
      problem: `${about} has ${count - 1} digits that end with their check digit, so it is not clear what is missing. Write ${padded} if it lost a leading zero, or ${completed} if it needs another check digit.`,
    };
  const given = value[count - 1] ?? right;
  return given === right
    ? { value: completed }
    : {
        problem: `${about} has the check digit ${given}, but the correct one is ${right}.`,
      };
}

function findProblem(value: string, symbology: Symbology): string | null {
  if (hasBrokenCharacter(value))
    return "has an invalid character (half of a surrogate pair).";
  const max = maxLength[symbology];
  if (max !== undefined && value.length > max)
    return `has ${value.length} characters. At most ${max} are allowed.`;
  if (symbology === "code128") return findNonAscii(value);
  if (symbology === "code39") return findOutsideCode39(value);
  return null;
}

function findNonAscii(value: string): string | null {
  const wrong = findWrong(value, /\p{ASCII}/u);
  return wrong === null
    ? null
    : `has ${wrong}. Only ASCII characters are allowed. Use a Data Matrix or QR code for other text.`;
}

function findOutsideCode39(value: string): string | null {
  const wrong = findWrong(value, /[0-9A-Z .$/+%-]/);
  if (wrong === null) return null;
  const hint = /[a-z]/.test(value) ? ` Use the filter "upper".` : "";
  return `has ${wrong}. Only digits, capital letters, spaces and - . $ / + % are allowed.${hint}`;
}

/** Describes the first character that is not allowed: `"é" at position 3`. */
function findWrong(value: string, allowed: RegExp): string | null {
  const characters = Array.from(value);
  const at = characters.findIndex((character) => !allowed.test(character));
  return at < 0
    ? null
    : `${quotedCharacter(characters[at] ?? "")} at position ${at + 1}`;
}

function quotedCharacter(character: string): string {
  if (character === " ") return "a space";
  if (/\p{Cc}/u.test(character)) return "a control character";
  const code = character.codePointAt(0)?.toString(16).toUpperCase();
  const unicode = `(U+${code?.padStart(4, "0")})`;
  if (/\s/u.test(character)) return `a space ${unicode}`;
  if (/\p{Cf}/u.test(character)) return `an invisible character ${unicode}`;
  return `"${character}"`;
}

/** Computes the GS1 check digit (EAN, UPC, ITF-14): weights 3 and 1 from the right, modulo 10. */
function checkDigit(digits: string): string {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const weight = (digits.length - index) % 2 === 1 ? 3 : 1;
    sum += Number(digits[index]) * weight;
  }
  return String((10 - (sum % 10)) % 10);
}

function hasCheckDigit(digits: string): boolean {
  return digits.slice(-1) === checkDigit(digits.slice(0, -1));
}

/** Quotes a value for a message, on one line and shortened. */
export function quotedValue(value: string): string {
  return `"${oneLine(value, 40)}"`;
}

/** Whether the text contains half of a surrogate pair, which no code can encode. */
export function hasBrokenCharacter(value: string): boolean {
  return /\p{Cs}/u.test(value);
}

/**
 * Returns text on one line of at most `limit` characters. White space and control characters are collapsed to one
 * space; longer text ends with an ellipsis.
 */
export function oneLine(text: string, limit: number): string {
  // Truncate roughly first: a value may have megabytes, and a character has at most two code units.
  const start = text.slice(0, 4 * limit);
  const characters = Array.from(start.replace(/[\s\p{Cc}]+/gu, " ").trim());
  return characters.length > limit || start.length < text.length
    ? `${characters.slice(0, limit - 1).join("")}…`
    : characters.join("");
}
