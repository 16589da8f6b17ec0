import { expect } from "chai";
import type { PrintedPdf, Renderer } from "../../core/rendering/index.js";
import { LONG_PAGE, longDocument } from "../support/large-documents.js";
import { placesOfNames, readPdf } from "../support/read-pdf.js";
import { ample, page, startRenderer } from "../support/renderer.js";

const ROWS = 750;

describe("a long document that is printed in pieces", () => {
  let renderer: Renderer;
  let whole: PrintedPdf;
  let joined: PrintedPdf;

  before(async () => {
    renderer = await startRenderer({ piecePages: 8 });
    const html = longDocument(ROWS);
    // Without its page, nothing is known of where it may be cut.
    whole = await renderer.pdf({ html, deadline: ample() });
    joined = await renderer.pdf({ html, page: LONG_PAGE, deadline: ample() });
  });

  it("has the same content on each page as when it is printed whole", async () => {
    expect(joined.bytes.equals(whole.bytes)).to.equal(false);
    expect(joined.pages).to.equal(whole.pages);
    expect(joined.pages).to.be.above(40);
    expect(await letters(joined)).to.deep.equal(await letters(whole));
  });

  it("looks the same where pieces meet", async () => {
    const pictures = await draw(renderer, joined);
    expect(pictures).to.have.lengthOf(26);
    expect(pictures.join()).to.equal((await draw(renderer, whole)).join());
  });

  it("keeps its links and contains no marks of the split", async () => {
    const places = await placesOfNames(joined.bytes);
    expect(places).to.deep.equal(await placesOfNames(whole.bytes));
    expect(places).to.have.property("chapter-2").that.is.above(30);
  });

  it("gets the same overlay as when it is printed whole", async () => {
    const { bytes, pages } = await renderer.pdf({
      html: longDocument(ROWS),
      page: LONG_PAGE,
      overlay: strips,
      deadline: ample(),
    });
    const texts = (await readPdf(bytes)).map(({ text }) => text);
    expect(pages).to.equal(whole.pages);
    expect(texts).to.have.lengthOf(pages);
    for (const [index, text] of texts.entries())
      expect(text).to.include(`Strip ${index + 1} of ${pages}`);
  });

  it("is scaled down as much as when it is printed whole, if it is too wide", async () => {
    const wide = '<p style="width: 700px; background: #fcc">Wide</p>';
    const html = longDocument(ROWS).replace("<p>The end.</p>", wide);
    const job = { html, deadline: ample() };
    const small = await renderer.pdf({ ...job, page: LONG_PAGE });
    expect(small.overflow).to.deep.equal([
      { element: "body", text: "", widthPx: 700, roomPx: 480 },
    ]);
    expect(small.pages).to.equal((await renderer.pdf(job)).pages);
  });
});

function strips(count: number): string {
  const sheets = Array.from(
    { length: count },
    (_, index) => `<div>Strip ${index + 1} of ${count}</div>`,
  );
  const style =
    "@page { size: 560px 700px; margin: 0 } body { margin: 0 } div { height: 700px; overflow: hidden; break-after: page } div:last-child { break-after: auto }";
  return page(sheets.join(""), style);
}

/** Of each page, in no order: a running head may be drawn before or after the text. */
async function letters({ bytes }: PrintedPdf): Promise<string[]> {
  const pages = await readPdf(bytes);
  return pages.map(({ text }) =>
    Array.from(text.replaceAll(/\s/g, "")).toSorted().join(""),
  );
}

async function draw(
  renderer: Renderer,
  { bytes: pdf }: PrintedPdf,
): Promise<string[]> {
  const job = { pdf, type: "png", pages: "1-3,8-30", scale: 0.5 } as const;
  const images = await renderer.images({ ...job, deadline: ample() });
  return images.map(({ bytes }) => bytes.toString("base64"));
}
