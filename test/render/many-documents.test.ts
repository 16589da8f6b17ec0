import { expect } from "chai";
import { fontNames, pdfText, readPdf } from "../support/read-pdf.js";
import { ample, page, startRenderer } from "../support/renderer.js";

const probe = page(
  "<p>Sans</p><p class='screen'>never</p>",
  "p { font-family: sans-serif } @page { size: A5 } @media print { .screen { display: none } }",
);

describe("a page that has printed many documents", () => {
  it("prints the next one as it printed the first", async () => {
    const renderer = await startRenderer({ pages: 1 });
    const print = async () => {
      const { bytes } = await renderer.pdf({ html: probe, deadline: ample() });
      return { pages: await readPdf(bytes), fonts: fontNames(bytes) };
    };
    const first = await print();
    expect(first.fonts).to.deep.equal(["Inter-Regular"]);
    expect(first.pages.map(({ text }) => text)).to.deep.equal(["Sans"]);
    const html = page("<p>another</p>", "p { font-family: serif }");
    for (let count = 0; count < 120; count += 1)
      await renderer.pdf({ html, deadline: ample() });
    expect(await print()).to.deep.equal(first);
    expect(renderer.health()).to.include({ restarts: 0, pagesReplaced: 0 });
    await renderer.stop();
  });

  it("still runs no script and lets no policy go", async () => {
    const renderer = await startRenderer({ pages: 1 });
    const html = page(
      "<p>Text</p><iframe src='data:text/html,FRAME'></iframe><script>document.body.append('SCRIPT')</script>",
    );
    for (let count = 0; count < 120; count += 1)
      await renderer.pdf({ html: page("x"), deadline: ample() });
    const { bytes } = await renderer.pdf({ html, deadline: ample() });
    expect(await pdfText(bytes)).to.equal("Text");
    await renderer.stop();
  });
});
