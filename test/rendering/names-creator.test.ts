import { expect } from "chai";
import { describe, it } from "mocha";
import { pdfFacts } from "../support/read-pdf.js";
import { ample, page, sharedRenderer } from "../support/renderer.js";

describe("the creator of a printed PDF", () => {
  it("is Platen, whatever the title says", async () => {
    const renderer = await sharedRenderer();
    const title = "A /Creator (Chromium) of PDFs";
    const { bytes } = await renderer.pdf({
      html: page("Hello"),
      title,
      deadline: ample(),
    });
    const { info, pages } = await pdfFacts(bytes);
    expect(info).to.include({ Creator: "Platen", Title: title });
    expect(pages).to.eql(["Hello"]);
  });
});
