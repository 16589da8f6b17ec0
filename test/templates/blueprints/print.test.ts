import { expect } from "chai";
import { describe, it } from "mocha";
import { inlineAssets, overlayHtml } from "../../../core/compiler/index.js";
import { readPdf } from "../../support/read-pdf.js";
import { ample, sharedRenderer } from "../../support/renderer.js";
import { mergedSample } from "./merged-sample.js";

interface Expected {
  /** In points. */
  size: readonly [number, number];
  /** What each page must show; spaces are ignored, since a PDF sets them as it likes. */
  pages: readonly (readonly string[])[];
}

const A4 = [595, 842] as const;
const letter = [612, 792] as const;

const blueprintPages: Record<string, Expected> = {
  invoice: {
    size: A4,
    pages: [
      ["2026-0147", "Atelier Lindvey GmbH", "19,340.00", "Page 1 of 2"],
      ["Invoice 2026-0147", "-€1,934.38", "€43,148.09", "Page 2 of 2"],
    ],
  },
  "german-invoice": {
    size: A4,
    pages: [["RE-2026-0318", "Havelwerk", "7.854,09", "9.396,81", "1 / 1"]],
  },
  "french-invoice": {
    size: A4,
    pages: [["F2026-0087", "Hôtel des Remparts", "Net à payer", "1 sur 1"]],
  },
  "credit-note": {
    size: A4,
    pages: [["CN-2026-0064", "INV-2026-1192", "€2,368.92", "Page 1 of 1"]],
  },
  xrechnung: {
    size: A4,
    pages: [["2026-KB-0412", "14612-00012-67", "25.971,85", "1 / 1"]],
  },
  "packing-list": {
    size: A4,
    pages: [
      ["2,835.6 kg", "RTM-2", "1,233.6", "1,436.2", "Page 1 of 2"],
      ["GOT-4", "Enamel mug", "853.2", "Page 2 of 2"],
    ],
  },
  certificate: {
    size: [842, 595],
    pages: [["Certificate of Mastery", "Eleanor Vasquez-Lindqvist"]],
  },
  statement: {
    size: A4,
    pages: [
      ["Harbour & Vale Bank plc", "£23,689.42", "Opening", "Page 1 of 6"],
      ...[2, 3, 4, 5].map((number) => [
        "3192 6819",
        "Money out, £",
        `Page ${number} of 6`,
      ]),
      ["Closing balance", "48,973.08", "23,689.42", "Page 6 of 6"],
    ],
  },
  quote: {
    size: letter,
    pages: [
      ["A roof that earns its keep", "$22,658.00", "page 1 of 2"],
      ["Battery, 13.5 kWh", "$11,329.00", "page 2 of 2"],
    ],
  },
  receipt: {
    size: [227, 488],
    pages: [["Little Owl Coffee", "$63.00", "Visa ···· 4821", "66.00"]],
  },
  contract: {
    size: A4,
    pages: [
      ["Agreement NG-2026-117", "Balfour Textile Mills", "Page 1 of 2"],
      ["Schedule A", "£58,800.00", "Samuel Adeyemi", "Page 2 of 2"],
    ],
  },
  report: {
    size: A4,
    pages: [
      ["A full summer", "901.9 thousand", "Port Mallow", "1 / 2"],
      ["All routes", "901,900", "47.85", "94.6%", "2 / 2"],
    ],
  },
  "shipping-label": {
    size: [288, 432],
    pages: [["Denver, CO 80205", "SL4826017399517402US", "1 of 2"]],
  },
  "order-confirmation": {
    size: A4,
    pages: [["Thank you, Hannah.", "€136.90", "Havenkade 11"]],
  },
  newsletter: {
    size: A4,
    pages: [
      ["What the wood does in April"],
      ["In the diary", "Leave the list"],
    ],
  },
  "password-reset": { size: A4, pages: [["481 926", "Corvid Software Ltd"]] },
  "purchase-order": {
    size: A4,
    pages: [["4500 018 332", "KI-49001", "CHF 31'207.00", "Page 1 of 1"]],
  },
};

describe("a printed blueprint", () => {
  for (const [id, { size, pages }] of Object.entries(blueprintPages))
    it(`${id} has its pages with their main content`, async () => {
      const printed = await print(id);
      expect(printed).to.have.length(pages.length);
      for (const [index, texts] of pages.entries()) {
        const page = printed[index];
        expect(page?.widthPt).to.be.closeTo(size[0], 1);
        expect(page?.heightPt).to.be.closeTo(size[1], 1);
        for (const text of texts)
          expect(packed(page?.text), `page ${index + 1}`).to.contain(
            packed(text),
          );
      }
    });
});

async function print(id: string) {
  const merged = mergedSample(id);
  const renderer = await sharedRenderer();
  const html = inlineAssets(merged, new Map());
  const { overlay } = merged;
  const { bytes } = await renderer.pdf({
    html,
    ...(overlay && { overlay: (pages: number) => overlayHtml(overlay, pages) }),
    deadline: ample(),
  });
  return readPdf(bytes);
}

function packed(text = ""): string {
  return text.replaceAll(/\s/g, "").replaceAll("’", "'");
}
