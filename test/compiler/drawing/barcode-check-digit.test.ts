import { checkBarcode } from "../../../core/definition/barcodes.js";
import { expect } from "chai";
import { describe, it } from "mocha";
import {
  drawBarcode,
  type Symbology,
} from "../../../core/compiler/drawing/index.js";
import { rejected } from "./read-code.js";

const wrong: [Symbology, string, string][] = [
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
];
const incomplete: [Symbology, string, string][] = [
  ["ean13", "400638133393", "4006381333931"],
  ["ean13", "000000000000", "0000000000000"],
  ["ean8", "9638507", "96385074"],
  ["upca", "03600029145", "036000291452"],
  ["itf14", "1540014128876", "15400141288763"],
];

describe("a check digit", () => {
  for (const [symbology, value, message] of wrong)
    it(`is rejected when it is wrong: ${value}`, () => {
      expect(rejected(() => drawBarcode({ symbology, value }))).to.equal(
        message,
      );
      expect(checkBarcode(value, symbology)).to.equal(message);
    });

  for (const [symbology, value, whole] of incomplete)
    it(`is computed when it is missing: ${value}`, () => {
      expect(checkBarcode(value, symbology)).to.equal(null);
      expect(drawBarcode({ symbology, value })).to.equal(
        drawBarcode({ symbology, value: whole }),
      );
    });
});
