import { expect } from "chai";
import { readPdf } from "../support/read-pdf.js";
import { ample, page, sharedRenderer } from "../support/renderer.js";

const TALL = "p { break-after: page } p:last-child { break-after: auto }";

describe("the number of pages", () => {
  for (const count of [1, 8, 9, 70])
    it(`is right for ${count} pages, however deep the page tree is`, async () => {
      const renderer = await sharedRenderer();
      const html = page("<p>x</p>".repeat(count), TALL);
      const printed = await renderer.pdf({ html, deadline: ample() });
      expect(printed.pages).to.equal(count);
      expect(await readPdf(printed.bytes)).to.have.length(count);
    });

  it("is not taken from a title that looks like a page tree", async () => {
    const renderer = await sharedRenderer();
    const title = "<</Type /Pages\n/Count 99";
    const html = page("<p>x</p>");
    const printed = await renderer.pdf({ html, title, deadline: ample() });
    expect(printed.pages).to.equal(1);
  });
});
