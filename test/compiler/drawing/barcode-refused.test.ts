import { checkBarcode } from "../../../core/definition/barcodes.js";
import { expect } from "chai";
import { describe, it } from "mocha";
import {
  drawBarcode,
  type Symbology,
} from "../../../core/compiler/drawing/index.js";
import { rejected } from "./read-code.js";

const cases: [Symbology, string, RegExp][] = [
  ["ean13", "40063813339", /has 11 digits. It needs 13, or 12 without/],
  ["ean8", "123456789", /has 9 digits. It needs 8, or 7 without/],
  ["ean13", "400638A33393", /has "A" at position 7. Only the digits/],
  ["ean13", "4 006381 333931", /has a space at position 2/],
  ["upca", "03600029145２", /has "２" at position 12/],
  ["itf14", "1540014\n28876", /has a control character at position 8/],
  ["code39", "abc-1", /has "a" at position 1. .* Use the filter "upper"/],
  ["code39", "A*B", /has "\*" at position 2. Only digits, capital/],
  ["code39", "A".repeat(51), /has 51 characters. At most 50/],
  ["code128", "café", /has "é" at position 4. Only ASCII/],
  ["code128", "A".repeat(81), /has 81 characters. At most 80/],
  [
    "datamatrix",
    "é".repeat(900),
    /is too long: it has 1800 bytes, but the limit is about 3116 digits/,
  ],
  [
    "pdf417",
    "A".repeat(1900),
    /is too long: it has 1900 bytes, .* 1850 capital letters/,
  ],
  ["pdf417", "half \ud83d", /invalid character/],
  ["datamatrix", "", /Data Matrix barcode has no value/],
];

describe("a barcode's value", () => {
  for (const [symbology, value, message] of cases)
    it(`is rejected for ${symbology}: ${message.source}`, () => {
      const problem = rejected(() => drawBarcode({ symbology, value }));
      expect(problem).to.match(message);
      expect(problem).to.have.length.below(240);
      expect(checkBarcode(value, symbology)).to.equal(problem);
    });
});
