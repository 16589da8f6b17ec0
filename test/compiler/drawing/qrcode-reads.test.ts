import { expect } from "chai";
import { describe, it } from "mocha";
import { drawQrcode } from "../../../core/compiler/drawing/index.js";
import { readCodes } from "./read-code.js";

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
