import { checkBarcode } from "../../../core/definition/barcodes.js";
import { expect } from "chai";
import { describe, it } from "mocha";
import {
  drawBarcode,
  drawQrcode,
  type Symbology,
} from "../../../core/compiler/drawing/index.js";
import { rejected } from "./read-code.js";

const CODE39 =
  "Only digits, capital letters, spaces and - . $ / + % are allowed.";
const DIGITS = "Only the digits 0 to 9 are allowed.";

const REFUSED: [Symbology, string, string][] = [
  [
    "ean13",
    "40063813339",
    'EAN-13 "40063813339" has 11 digits. It needs 13, or 12 without the check digit.',
  ],
  [
    "ean8",
    "123456789",
    'EAN-8 "123456789" has 9 digits. It needs 8, or 7 without the check digit.',
  ],
  [
    "ean13",
    "4006381333932",
    'EAN-13 "4006381333932" has the check digit 2, but the correct one is 1.',
  ],
  [
    "ean8",
    "96385075",
    'EAN-8 "96385075" has the check digit 5, but the correct one is 4.',
  ],
  [
    "upca",
    "036000291450",
    'UPC-A "036000291450" has the check digit 0, but the correct one is 2.',
  ],
  [
    "itf14",
    "15400141288769",
    'ITF-14 "15400141288769" has the check digit 9, but the correct one is 3.',
  ],
  [
    "ean13",
    "400638A33393",
    `EAN-13 "400638A33393" has "A" at position 7. ${DIGITS}`,
  ],
  [
    "ean13",
    "4 006381 333931",
    `EAN-13 "4 006381 333931" has a space at position 2. ${DIGITS}`,
  ],
  [
    "upca",
    "03600029145２",
    `UPC-A "03600029145２" has "２" at position 12. ${DIGITS}`,
  ],
  [
    "itf14",
    "1540014\n28876",
    `ITF-14 "1540014 28876" has a control character at position 8. ${DIGITS}`,
  ],
  [
    "code39",
    "abc-1",
    `Code 39 "abc-1" has "a" at position 1. ${CODE39} Use the filter "upper".`,
  ],
  ["code39", "A*B", `Code 39 "A*B" has "*" at position 2. ${CODE39}`],
  [
    "code39",
    "A".repeat(51),
    `Code 39 "${"A".repeat(39)}…" has 51 characters. At most 50 are allowed.`,
  ],
  [
    "code128",
    "café",
    'Code 128 "café" has "é" at position 4. Only ASCII characters are allowed. Use a Data Matrix or QR code for other text.',
  ],
  [
    "code128",
    "A".repeat(81),
    `Code 128 "${"A".repeat(39)}…" has 81 characters. At most 80 are allowed.`,
  ],
  [
    "datamatrix",
    "é".repeat(900),
    `Data Matrix "${"é".repeat(39)}…" is too long: it has 1800 bytes, but the limit is about 3116 digits, 2335 capital letters or 1550 bytes.`,
  ],
  [
    "pdf417",
    "A".repeat(1900),
    `PDF417 "${"A".repeat(39)}…" is too long: it has 1900 bytes, but the limit is about 2710 digits, 1850 capital letters or 1100 bytes.`,
  ],
  [
    "pdf417",
    "half \ud83d",
    'PDF417 "half \ud83d" has an invalid character (half of a surrogate pair).',
  ],
  [
    "datamatrix",
    "",
    "The Data Matrix barcode has no value. Add a value, or a condition that hides the barcode.",
  ],
];

const ACCEPTED: [Symbology, string][] = [
  ["code39", "A".repeat(50)],
  ["code128", "A".repeat(80)],
  ["datamatrix", "1".repeat(3116)],
  ["pdf417", "A".repeat(1850)],
];

/** Without the check digit, and with it. */
const COMPLETED: [Symbology, string, string][] = [
  ["ean13", "400638133393", "4006381333931"],
  ["ean13", "000000000000", "0000000000000"],
  ["ean8", "9638507", "96385074"],
  ["upca", "03600029145", "036000291452"],
  ["itf14", "1540014128876", "15400141288763"],
];

describe("a barcode's value", () => {
  for (const [symbology, value, message] of REFUSED)
    it(`is refused: ${message}`, () => {
      expect(rejected(() => drawBarcode({ symbology, value }))).to.equal(
        message,
      );
      expect(checkBarcode(value, symbology)).to.equal(message);
    });

  for (const [symbology, value] of ACCEPTED)
    it(`of ${value.length} characters is accepted as ${symbology}`, () => {
      expect(checkBarcode(value, symbology)).to.equal(null);
    });

  for (const [symbology, value, whole] of COMPLETED)
    it(`gets the check digit that it lacks: ${whole}`, () => {
      expect(checkBarcode(value, symbology)).to.equal(null);
      expect(drawBarcode({ symbology, value })).to.equal(
        drawBarcode({ symbology, value: whole }),
      );
    });
});

describe("a QR code's value", () => {
  const limits = [
    ["L", 2953, 7089],
    ["M", 2331, 5596],
    ["Q", 1663, 3993],
    ["H", 1273, 3057],
  ] as const;
  for (const [ecc, bytes, digits] of limits)
    it(`is accepted up to ${bytes} bytes or ${digits} digits with ${ecc}`, () => {
      for (const [character, limit] of [
        ["x", bytes],
        ["9", digits],
      ] as const) {
        const value = character.repeat(limit);
        expect(drawQrcode({ value, ecc })).to.match(/viewBox="0 0 185 185"/);
        const longer = value + character;
        expect(rejected(() => drawQrcode({ value: longer, ecc }))).to.equal(
          `The QR code's value "${character.repeat(39)}…" is too long: it has ${limit + 1} bytes, but with error correction ${ecc} the limit is ${bytes} (${digits} if all are digits).`,
        );
      }
    });

  it("is refused without an attempt when it is a megabyte long", () => {
    expect(rejected(() => drawQrcode({ value: "漢".repeat(1e6) }))).to.equal(
      `The QR code's value "${"漢".repeat(39)}…" is too long: it has 3000000 bytes, but with error correction M the limit is 2331 (5596 if all are digits).`,
    );
  });

  it("is refused when it is empty or not well formed", () => {
    expect(rejected(() => drawQrcode({ value: "" }))).to.equal(
      "The QR code has no value. Add a value, or a condition that hides the QR code.",
    );
    expect(rejected(() => drawQrcode({ value: "a\udc00b" }))).to.equal(
      'The QR code\'s value "a\udc00b" has an invalid character (half of a surrogate pair).',
    );
  });
});
