import { measureBarcode } from "../../../core/definition/barcodes.js";
import { expectAccepted, fc } from "../../support/properties.js";
import { PlatenError } from "../../../core/plugin-api/index.js";
import {
  drawBarcode,
  drawQrcode,
  type Symbology,
} from "../../../core/compiler/drawing/index.js";

const symbologies: Symbology[] = [
  "code128",
  "code39",
  "ean13",
  "ean8",
  "upca",
  "itf14",
  "gs1-128",
  "datamatrix",
  "gs1datamatrix",
  "pdf417",
];

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ unit: "grapheme-ascii", maxLength: 60 }),
  fc.stringMatching(/^\d{6,15}$/),
  // Numbers of products without their check digits.
  { weight: 3, arbitrary: fc.stringMatching(/^(?:\d{7}|\d{11,13})$/) },
  fc.stringMatching(/^\(9\d\)[A-Z\d]{1,20}$/),
  fc.string({ unit: fc.constantFrom("\ud800", "\udfff", "^", "\u0000", "A") }),
);

/** True when the action threw our own error, false when it threw nothing; any other error passes through. */
function isRejected(action: () => unknown): boolean {
  try {
    action();
    return false;
  } catch (error) {
    if (error instanceof PlatenError && error.code === "merge_failed")
      return true;
    throw error;
  }
}

describe("a random value", () => {
  for (const symbology of symbologies)
    it(`is drawn identically twice as ${symbology}, or rejected as the check predicts`, () => {
      expectAccepted(3, (accept) => {
        const property = fc.property(
          anyText,
          fc.boolean(),
          (value, showText) => {
            const draw = () => drawBarcode({ symbology, value, showText });
            const rejected = isRejected(draw);
            const measure = () => measureBarcode(value, symbology);
            if (rejected !== isRejected(measure)) return false;
            if (!rejected) accept();
            return rejected || draw() === draw();
          },
        );
        fc.assert(property, { numRuns: 200 });
      });
    });

  it("is drawn identically twice as a QR code, or rejected", () => {
    const levels = fc.constantFrom("L", "M", "Q", "H");
    expectAccepted(100, (accept) => {
      const property = fc.property(anyText, levels, (value, ecc) => {
        const draw = () => drawQrcode({ value, ecc });
        if (isRejected(draw)) return true;
        accept();
        return draw() === draw();
      });
      fc.assert(property, { numRuns: 200 });
    });
  });
});
