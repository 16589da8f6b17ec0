/** A part of a GS1 barcode: an application identifier, such as 17, and its value, such as 261130. */
export interface ElementString {
  ai: string;
  value: string;
}

/** Whether identifiers are in parentheses: `(01)09506000134352(10)ABC`. */
const bracketed = /\((\d{2,4})\)/;
/** Identifiers have two to four digits, by their first two. */
const identifier =
  /^(?:0\d|1\d|2[0-2]|30|37|9\d|(?:2[345]|4[0-2]|71)\d|(?:3[1-69]|43|7[02]|8[0-2])\d\d)/;
/** Lengths with the identifier, by its first two digits; all others end with FNC1 (GS1 General Specifications, 7.8.5). */
const fixedLengths: Readonly<Record<string, number>> = {
  "00": 20,
  "01": 16,
  "02": 16,
  "03": 16,
  "04": 18,
  ...Object.fromEntries(Array.from("123456789", (digit) => [`1${digit}`, 8])),
  "20": 4,
  ...Object.fromEntries(Array.from("123456", (digit) => [`3${digit}`, 10])),
  "41": 16,
};

/**
 * The element strings of a value, which has its identifiers in parentheses, perhaps with blanks beside, or is what a scanner sends: FNC1 as
 * `^FNC1` or the character GS (ASCII 29), perhaps after the name of the symbology (`]C1`).
 * @returns what begins with no identifier, if something does
 */
export function readElements(value: string): ElementString[] | string {
  if (value.startsWith("(")) {
    const [before = "", ...parts] = value.split(bracketed);
    if (before !== "") return before;
    return parts.flatMap((ai, index) =>
      index % 2 === 0 ? [{ ai, value: (parts[index + 1] ?? "").trim() }] : [],
    );
  }
  const elements: ElementString[] = [];
  const data = value.replace(/^\](?:C1|d2)/, "");
  for (const part of data.replaceAll("^FNC1", "\u001d").split("\u001d")) {
    let rest = part;
    while (rest !== "") {
      const ai = identifier.exec(rest)?.[0];
      if (ai === undefined) return rest;
      const end = fixedLengths[ai.slice(0, 2)] ?? rest.length;
      elements.push({ ai, value: rest.slice(ai.length, end) });
      rest = rest.slice(end);
    }
  }
  return elements.length === 0 ? value : elements;
}

/** How many characters are encoded: also FNC1 after each of variable length that another follows. */
export function countCharacters(elements: readonly ElementString[]): number {
  const separators = elements
    .slice(0, -1)
    .filter(({ ai }) => fixedLengths[ai.slice(0, 2)] === undefined);
  const texts = elements.map(({ ai, value }) => ai + value);
  return texts.join("").length + separators.length;
}
