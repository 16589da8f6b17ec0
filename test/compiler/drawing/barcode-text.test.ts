import { expect } from "chai";
import { describe, it } from "mocha";
import { drawBarcode } from "../../../core/compiler/drawing/index.js";

function getSourceText(svg: string): string[] {
  return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(
    (match) => match[1] ?? "",
  );
}

describe("the text below a barcode", () => {
  it("is real text with the check digit", () => {
    const svg = drawBarcode({ symbology: "itf14", value: "1540014128876" });
    expect(getSourceText(svg)).to.deep.equal(["15400141288763"]);
  });

  it("is split into digits below retail bars", () => {
    const svg = drawBarcode({ symbology: "upca", value: "036000291452" });
    expect(getSourceText(svg)).to.deep.equal(["0", "3600029145", "2"]);
    expect(svg).to.match(/<text x="[\d. ]{30,}"/);
  });

  it("is omitted on request, with guard bars as short as the others", () => {
    const svg = drawBarcode({
      symbology: "ean8",
      value: "96385074",
      showText: false,
    });
    expect(getSourceText(svg)).to.deep.equal([]);
    expect(svg.match(/v55h/g)).to.have.length(22);
  });

  it("is drawn below a matrix code only on request", () => {
    const code = { symbology: "datamatrix", value: "SN 1" } as const;
    expect(getSourceText(drawBarcode(code))).to.deep.equal([]);
    expect(
      getSourceText(drawBarcode({ ...code, showText: true })),
    ).to.deep.equal(["SN 1"]);
  });

  it("is escaped and contains no control characters", () => {
    const value = "<b>&\u0000\u001b\"'</b>";
    const svg = drawBarcode({ symbology: "code128", value });
    expect(getSourceText(svg)).to.deep.equal([
      "&lt;b&gt;&amp; &quot;&#39;&lt;/b&gt;",
    ]);
    expect(svg).to.match(
      /aria-label="Code 128 &lt;b&gt;&amp; &quot;&#39;&lt;\/b&gt;"/,
    );
  });
});
