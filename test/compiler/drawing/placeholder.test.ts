import { expect } from "chai";
import { describe, it } from "mocha";
import { drawPlaceholder } from "../../../core/compiler/drawing/index.js";
import { getTexts } from "./chart-cases.js";

describe("a placeholder", () => {
  it("is a box of the original's size with its label", () => {
    const svg = drawPlaceholder({
      label: "No image",
      width: "40mm",
      height: "1in",
    });
    expect(svg).to.match(
      /^<svg [^>]*viewBox="0 0 151 96" width="151" height="96"/,
    );
    expect(getTexts(svg)).to.deep.equal(["No image"]);
  });

  it("has a default size when the given one depends on the context", () => {
    expect(drawPlaceholder({ label: "x", width: "50%" })).to.match(
      /viewBox="0 0 220 64"/,
    );
  });

  it("wraps a long label and omits what does not fit", () => {
    const lines = getTexts(
      drawPlaceholder({ label: "a long word ".repeat(40) }),
    );
    expect(lines).to.have.length(3);
    expect(lines[2]).to.match(/…$/);
  });

  it("escapes its label", () => {
    const svg = drawPlaceholder({ label: '<script>"x"</script>\u0000' });
    expect(getTexts(svg)).to.deep.equal([
      "&lt;script&gt;&quot;x&quot;&lt;/script&gt;",
    ]);
  });
});
