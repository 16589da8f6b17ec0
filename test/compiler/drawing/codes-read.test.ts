import { expect } from "chai";
import { describe, it } from "mocha";
import {
  drawBarcode,
  drawQrcode,
  type Symbology,
} from "../../../core/compiler/drawing/index.js";
import { readCodes } from "./read-code.js";

// A reader tells UPC-A as the EAN-13 that it is, and ITF-14 as ITF.
const cases: [Symbology, string, { format: string; text: string }][] = [
  ["code128", "ABC-1234", { format: "Code128", text: "ABC-1234" }],
  [
    "code128",
    "00340123450000000001",
    { format: "Code128", text: "00340123450000000001" },
  ],
  ["code128", "a b\t^{}~`\\", { format: "Code128", text: "a b\t^{}~`\\" }],
  ["code39", "ABC-12 3.$/+%", { format: "Code39", text: "ABC-12 3.$/+%" }],
  ["ean13", "4006381333931", { format: "EAN13", text: "4006381333931" }],
  ["ean8", "96385074", { format: "EAN8", text: "96385074" }],
  ["upca", "036000291452", { format: "EAN13", text: "0036000291452" }],
  ["itf14", "15400141288763", { format: "ITF", text: "15400141288763" }],
  [
    "datamatrix",
    "https://example.com/?a=1&b=<2>",
    { format: "DataMatrix", text: "https://example.com/?a=1&b=<2>" },
  ],
  [
    "datamatrix",
    "Grüße, 日本 ^FNC1 🙂",
    { format: "DataMatrix", text: "Grüße, 日本 ^FNC1 🙂" },
  ],
  [
    "pdf417",
    "M1DOE/JANE ^ 0042",
    { format: "PDF417", text: "M1DOE/JANE ^ 0042" },
  ],
  ["pdf417", "Größe 日本 🙂", { format: "PDF417", text: "Größe 日本 🙂" }],
];

describe("a barcode", () => {
  for (const [symbology, value, read] of cases)
    it(`of ${symbology} is read as ${JSON.stringify(value)}`, async () => {
      const codes = await readCodes(drawBarcode({ symbology, value }));
      expect(codes).to.deep.equal([read]);
    });
});

const values = [
  "https://example.com/pay/2026-0042?amount=1234.50&to=<x>",
  "0123456789012345678901234567890",
  "BCD\n002\n1\nSCT\n\nMüller & Søn\nDE89370400440532013000\nEUR12.30",
  "漢字 кириллица עברית 🙂",
  "x".repeat(1200),
];

describe("a QR code", () => {
  for (const value of values)
    for (const ecc of ["L", "M", "Q", "H"] as const)
      it(`of ${value.length} characters with ${ecc} scans`, async () => {
        const svg = drawQrcode({ value, ecc });
        const codes = await readCodes(svg, 40);
        expect(codes).to.deep.equal([{ format: "QRCode", text: value }]);
      });
});
