import { expect } from "chai";
import { pdfText, fontNames } from "../support/read-pdf.js";
import { ample, page, sharedRenderer } from "../support/renderer.js";

describe("documents printed at the same time", () => {
  it("each keep their own text, fonts and named styles", async () => {
    const renderer = await sharedRenderer();
    const prints = Array.from({ length: 40 }, async (_, index) => {
      const isOdd = index % 2 === 1;
      const font = isOdd ? "Tinos" : "Cousine";
      const style = `@font-face { font-family: Brand; src: local("${font}-Regular") } @page { size: ${isOdd ? "A5" : "A4"} } p { font-family: Brand }`;
      const html = page(`<p>Document ${index}</p>`, style);
      const { bytes } = await renderer.pdf({ html, deadline: ample() });
      expect(await pdfText(bytes)).to.equal(`Document ${index}`);
      expect(fontNames(bytes)).to.deep.equal([`${font}-Regular`]);
    });
    await Promise.all(prints);
  });
});
