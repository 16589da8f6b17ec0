import { expect } from "chai";
import { describe, it } from "mocha";
import {
  drawBarcode,
  drawPlaceholder,
  drawQrcode,
  drawSocialIcon,
  type BarcodeDrawing,
} from "../../../core/compiler/drawing/index.js";
import { toMillimetres } from "../../../core/compiler/drawing/css-length.js";
import { expectRecorded, onLines } from "../support.js";

// Each drawing is an SVG of its name in golden/, which has been looked at; barcode-reads.test.ts has a reader read them.

const ean13 = { symbology: "ean13", value: "4006381333931" } as const;
const ean8 = { symbology: "ean8", value: "96385074" } as const;
const upca = { symbology: "upca", value: "036000291452" } as const;
const itf14 = { symbology: "itf14", value: "1540014128876" } as const;
const code128 = { symbology: "code128", value: 'A-1 <b>&\u0000"' } as const;
const code39 = { symbology: "code39", value: "ABC-12 3" } as const;
const datamatrix = { symbology: "datamatrix", value: "SN 1" } as const;
const pdf417 = { symbology: "pdf417", value: "SN 1" } as const;

const BARCODES: Record<string, BarcodeDrawing> = {
  ean13,
  "ean13-of-12-mm": { ...ean13, height: "12mm" },
  "ean13-without-text": { ...ean13, showText: false },
  ean8,
  "ean8-without-text": { ...ean8, showText: false },
  upca,
  itf14,
  "itf14-without-text": { ...itf14, showText: false, height: "1cm" },
  code128,
  "code128-lower-than-its-text": { ...code128, height: "1px" },
  "code128-narrower-than-its-text": {
    symbology: "code128",
    value: "12345678901234567890123456789012345678",
  },
  code39,
  datamatrix,
  "datamatrix-with-text": { ...datamatrix, showText: true },
  "datamatrix-with-wide-text": {
    symbology: "datamatrix",
    value: "00340123450000000001",
    showText: true,
    height: "1in",
  },
  pdf417,
};

/** Drawn in the tests, not when the file is loaded. */
const DRAWINGS: Record<string, () => string> = {
  ...Object.fromEntries(
    Object.entries(BARCODES).map(([name, drawing]) => [
      name,
      () => drawBarcode(drawing),
    ]),
  ),
  qrcode: () => drawQrcode({ value: "A" }),
  "qrcode-h": () => drawQrcode({ value: "A", ecc: "H" }),
  placeholder: () => drawPlaceholder({ label: '<b>"x"</b>\u0000' }),
  "placeholder-of-a-size": () =>
    drawPlaceholder({
      label: "No image",
      width: "40mm",
      height: "1in",
    }),
  "placeholder-of-many-words": () =>
    drawPlaceholder({
      label: "a long word ".repeat(40),
      width: "50%",
    }),
  "placeholder-smallest": () =>
    drawPlaceholder({
      label: "None",
      width: "1px",
      height: "1px",
    }),
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

  it("of a barcode leaves a relative height to CSS", () => {
    expect(drawBarcode({ ...ean13, height: "50%" })).to.equal(
      drawBarcode(ean13),
    );
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
