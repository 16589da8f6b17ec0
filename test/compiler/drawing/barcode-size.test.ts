import { expect } from "chai";
import { describe, it } from "mocha";
import {
  drawBarcode,
  drawQrcode,
} from "../../../core/compiler/drawing/index.js";
import { readCodes } from "./read-code.js";

const ean = { symbology: "ean13", value: "4006381333931" } as const;

function getSize(svg: string) {
  return /width="([\d.]+mm)" height="([\d.]+mm)"/.exec(svg)?.slice(1);
}

describe("the size of a drawn code", () => {
  it("is the standard one for a retail code", () => {
    expect(getSize(drawBarcode(ean))).to.deep.equal(["37.29mm", "26.07mm"]);
  });

  it("follows a given height with bars of the same width that still scan", async () => {
    const svg = drawBarcode({ ...ean, height: "12mm" });
    expect(getSize(svg)).to.deep.equal(["37.29mm", "12mm"]);
    expect(await readCodes(svg)).to.have.length(1);
  });

  it("scales as a whole to a given height for a matrix code", async () => {
    const svg = drawBarcode({
      symbology: "datamatrix",
      value: "Hello",
      height: "1in",
    });
    expect(getSize(svg)).to.deep.equal(["25.4mm", "25.4mm"]);
  });

  it("leaves a relative height to CSS", () => {
    expect(drawBarcode({ ...ean, height: "50%" })).to.equal(drawBarcode(ean));
  });

  it("is left to CSS for a QR code, with a quiet zone of four modules", () => {
    const svg = drawQrcode({ value: "A" });
    expect(svg).to.match(/^<svg [^>]*viewBox="0 0 29 29"/);
    expect(svg).not.to.match(/<svg[^>]*(width|height)=/);
    expect(svg).to.match(/ d="M4 4\.5h7/);
  });
});
