import { expect } from "chai";
import { before, describe, it } from "mocha";
import type { Renderer } from "../../core/rendering/index.js";
import { fontNames, pdfText, readPdf } from "../support/read-pdf.js";
import { ample, page, startRenderer } from "../support/renderer.js";

const probe = page(
  "<p>Sans</p><p class='screen'>never</p>",
  "p { font-family: sans-serif } @page { size: A5 } @media print { .screen { display: none } }",
);

/** A page is loaded anew after 50. */
const MANY = 110;

describe("a page that has printed many documents", () => {
  let renderer: Renderer;
  let first: Awaited<ReturnType<typeof print>>;

  async function print(html: string) {
    const { bytes } = await renderer.pdf({ html, deadline: ample() });
    return { pages: await readPdf(bytes), fonts: fontNames(bytes) };
  }

  before(async () => {
    renderer = await startRenderer({ pages: 1 });
    first = await print(probe);
    const html = page("<p>another</p>", "p { font-family: serif }");
    for (let count = 0; count < MANY; count += 1)
      await renderer.pdf({ html, deadline: ample() });
  });

  it("prints the next document like the first", async () => {
    expect(first.fonts).to.deep.equal(["Inter-Regular"]);
    expect(first.pages.map(({ text }) => text)).to.deep.equal(["Sans"]);
    expect(await print(probe)).to.deep.equal(first);
    expect(renderer.health()).to.include({ restarts: 0, pagesReplaced: 0 });
  });

  it("still runs no scripts and still enforces its content security policy", async () => {
    const html = page(
      "<p>Text</p><iframe src='data:text/html,FRAME'></iframe><script>document.body.append('SCRIPT')</script>",
    );
    const { bytes } = await renderer.pdf({ html, deadline: ample() });
    expect(await pdfText(bytes)).to.equal("Text");
  });
});
