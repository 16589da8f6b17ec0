import { expect } from "chai";
import { describe, it } from "mocha";
import { drawQrcode } from "../../../core/compiler/drawing/index.js";
import { rejected } from "./read-code.js";

describe("a QR code's value", () => {
  it("is rejected when it is too long, with the limit", () => {
    const value = "x".repeat(2332);
    expect(rejected(() => drawQrcode({ value }))).to.match(
      /too long: it has 2332 bytes, but with error correction M the limit is 2331 \(5596 if all are digits\)/,
    );
    expect(drawQrcode({ value: value.slice(1) })).to.match(/^<svg/);
  });

  it("is limited according to its error correction", () => {
    const value = "9".repeat(3994);
    expect(rejected(() => drawQrcode({ value, ecc: "Q" }))).to.match(
      /Q the limit is 1663 \(3993/,
    );
    expect(drawQrcode({ value, ecc: "M" })).to.match(/^<svg/);
  });

  it("is rejected without an attempt when it is a megabyte long", () => {
    expect(rejected(() => drawQrcode({ value: "漢".repeat(1e6) }))).to.match(
      /it has 3000000 bytes/,
    );
  });

  it("is rejected when it is empty or not well formed", () => {
    expect(rejected(() => drawQrcode({ value: "" }))).to.match(/no value/);
    expect(rejected(() => drawQrcode({ value: "a\udc00b" }))).to.match(
      /invalid character/,
    );
  });
});
