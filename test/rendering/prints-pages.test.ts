import { expect } from "chai";
import { readPdf } from "../support/read-pdf.js";
import { ample, page, sharedRenderer } from "../support/renderer.js";

const MM = 72 / 25.4;

describe("printing a document", () => {
  it("takes size and margins from its @page rules and counts the pages", async () => {
    const renderer = await sharedRenderer();
    const html = page(
      "<p>One</p><p>Two</p><p>Three</p>",
      "@page { size: A5 landscape; margin: 10mm } p { break-after: page } p:last-child { break-after: auto }",
    );
    const printed = await renderer.pdf({ html, deadline: ample() });
    const pages = await readPdf(printed.bytes);
    expect(printed.pages).to.equal(3);
    expect(pages.map(({ text }) => text)).to.deep.equal([
      "One",
      "Two",
      "Three",
    ]);
    expect(pages[0]?.widthPt).to.be.closeTo(210 * MM, 1);
    expect(pages[0]?.heightPt).to.be.closeTo(148 * MM, 1);
  });

  it("prints page numbers in margin boxes", async () => {
    const renderer = await sharedRenderer();
    const html = page(
      "<p>One</p><p>Two</p>",
      "@page { @bottom-right { content: counter(page) ' of ' counter(pages) } } p { break-after: page } p:last-child { break-after: auto }",
    );
    const { bytes } = await renderer.pdf({ html, deadline: ample() });
    const texts = (await readPdf(bytes)).map(({ text }) => text);
    expect(texts).to.deep.equal(["1 of 2One", "2 of 2Two"]);
  });

  it("reports how long it waited and printed", async () => {
    const renderer = await sharedRenderer();
    const { phases } = await renderer.pdf({
      html: page("x"),
      deadline: ample(),
    });
    expect(phases.printMs).to.be.greaterThan(0);
    expect(phases.queueMs).to.be.at.least(0);
    expect(phases).not.to.have.property("overlayMs");
  });
});
