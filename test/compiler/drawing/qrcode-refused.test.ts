import { expect } from "chai";
import { describe, it } from "mocha";
import { drawQrcode } from "../../../core/compiler/drawing/index.js";
import { rejected } from "./read-code.js";

describe("a QR code's value", () => {
  it("that is too long is refused, with the limit", () => {
    const value = "x".repeat(2332);
    expect(rejected(() => drawQrcode({ value }))).to.match(
      /too long: it has 2332 bytes, but with error correction M the limit is 2331 \(5596 if all are digits\)/,
    );
    expect(drawQrcode({ value: value.slice(1) })).to.match(/^<svg/);
  });

  it("is limited by its error correction", () => {
    const value = "9".repeat(3994);
    expect(rejected(() => drawQrcode({ value, ecc: "Q" }))).to.match(
      /Q the limit is 1663 \(3993/,
    );
    expect(drawQrcode({ value, ecc: "M" })).to.match(/^<svg/);
  });

  it("of a megabyte is refused without being tried", () => {
    expect(rejected(() => drawQrcode({ value: "漢".repeat(1e6) }))).to.match(
      /it has 3000000 bytes/,
    );
  });

  it("that is empty or broken is refused", () => {
    expect(rejected(() => drawQrcode({ value: "" }))).to.match(/no value/);
    expect(rejected(() => drawQrcode({ value: "a\udc00b" }))).to.match(
      /invalid character/,
    );
  });
});
