import { expect } from "chai";
import {
  drawBarcode,
  drawPlaceholder,
  drawQrcode,
  drawSocialIcon,
  type BarcodeDrawing,
} from "../../../core/compiler/drawing/index.js";
import { toMillimetres } from "../../../core/compiler/drawing/css-length.js";
import { expectRecorded, onLines } from "../support.js";
import { readCases } from "./read-cases.js";

/** Drawn in the tests, not when the file is loaded. */
const DRAWINGS: Record<string, () => string> = {
  ...Object.fromEntries(
    readCases<BarcodeDrawing>("barcodes.txt").map(([name, drawing]) => [
      name,
      () => drawBarcode(drawing),
    ]),
  ),
  qrcode: () => drawQrcode({ value: "A" }),
  "qrcode-h": () => drawQrcode({ value: "A", ecc: "H" }),
  placeholder: () => drawPlaceholder({ label: '<b>"x"</b>\u0000' }),
  "placeholder-of-a-size": () =>
    drawPlaceholder({ label: "No image", width: "40mm", height: "1in" }),
  "placeholder-of-many-words": () =>
    drawPlaceholder({ label: "a long word ".repeat(40), width: "50%" }),
  "placeholder-smallest": () =>
    drawPlaceholder({ label: "None", width: "1px", height: "1px" }),
  "social-icons": drawSocialIcons,
};

/** One of each network and alias, and one of an unknown network, in rows. */
function drawSocialIcons(): string {
  const networks =
    "Bluesky DISCORD facebook github instagram linkedin mastodon " +
    "medium pinterest reddit slack snapchat telegram threads tiktok " +
    "vimeo whatsapp x xing youtube email phone website mail twitter " +
    "web ourForum";
  const icons = networks.split(" ").map((network, index) => {
    const { name, svg } = drawSocialIcon(network, "#465063");
    expect(svg).to.include(` aria-label="${name}"`);
    const place = `x="${(index % 6) * 56}" y="${Math.floor(index / 6) * 56}"`;
    return svg.replace("<svg ", `<svg ${place} width="48" height="48" `);
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 336 280">${icons.join("")}</svg>`;
}

describe("a drawing", () => {
  for (const [name, draw] of Object.entries(DRAWINGS))
    it(`is golden/${name}.svg`, () => {
      const file = new URL(`golden/${name}.svg`, import.meta.url);
      expectRecorded(onLines(draw()), file);
    });

  const ean13 = { symbology: "ean13", value: "4006381333931" } as const;

  it("of a barcode leaves a relative height and width to others", () => {
    const relative = { ...ean13, height: "50%", width: "3em" };
    expect(drawBarcode(relative)).to.equal(drawBarcode(ean13));
  });

  const matrix = {
    symbology: "gs1datamatrix",
    value: "(01)09506000134352(17)261130(10)ABC",
  } as const;
  const sizes: [BarcodeDrawing, string, string][] = [
    [ean13, "37.29mm", "26.07mm"],
    [{ ...ean13, width: "50mm" }, "50mm", "34.96mm"],
    [{ ...ean13, width: "50mm", height: "2cm" }, "50mm", "20mm"],
    [matrix, "11mm", "11mm"],
    [{ ...matrix, showText: true }, "17mm", "16.88mm"],
    [{ ...matrix, width: "22mm" }, "22mm", "22mm"],
    [{ ...matrix, width: "22mm", height: "20mm" }, "20mm", "20mm"],
    [{ ...matrix, width: "20mm", height: "22mm" }, "20mm", "20mm"],
  ];
  for (const [drawing, width, height] of sizes)
    it(`of a barcode ${JSON.stringify(drawing)} is ${width} wide and ${height} high`, () => {
      expect(drawBarcode(drawing)).to.include(
        ` width="${width}" height="${height}"`,
      );
    });

  for (const width of [undefined, "8mm", "12mm", "20mm", "60mm"])
    it(`of a GS1 DataMatrix ${width ?? "of any width"} has a line for each element`, () => {
      const svg = drawBarcode({ ...matrix, showText: true, width });
      const lines = [...svg.matchAll(/>([^<>]+)<\/text>/g)].map(
        ([, line]) => line,
      );
      expect(lines).to.eql(["(01)09506000134352", "(17)261130", "(10)ABC"]);
    });

  it("of a Data Matrix has smaller text before it has lines", () => {
    const code = { symbology: "datamatrix", showText: true } as const;
    // Twenty digits of four points are about 18 mm long.
    for (const [width, lines] of [
      ["20mm", 1],
      ["12mm", 2],
    ] as const) {
      const svg = drawBarcode({
        ...code,
        value: "00340123450000000001",
        width,
      });
      expect(svg.split("<text ")).to.have.length(1 + lines);
    }
  });
});

describe("an absolute CSS length", () => {
  const lengths: [string, number | null][] = [
    ["12mm", 12],
    ["1.5cm", 15],
    ["0.25in", 6.35],
    ["7.2pt", 2.54],
    ["19.2px", 5.08],
    ["0mm", null],
    ["50%", null],
    ["2em", null],
    ["mm", null],
    ["-1mm", null],
    ["1mm x", null],
    ["x 1mm", null],
    ["1.5.5mm", null],
  ];
  for (const [length, millimetres] of lengths)
    it(`of ${length} is ${millimetres ?? "no number of"} mm`, () => {
      const found = toMillimetres(length);
      expect(found && Number(found.toFixed(9))).to.equal(millimetres);
    });
});
