import { expect } from "chai";
import sharp from "sharp";
import { greatVibes } from "../support/assets.js";
import { fontNames } from "../support/read-pdf.js";
import { ample, page, sharedRenderer } from "../support/renderer.js";

async function picture(): Promise<string> {
  const bytes = await sharp({
    create: { width: 2000, height: 2000, channels: 3, background: "red" },
  })
    .jpeg()
    .toBuffer();
  return `data:image/jpeg;base64,${bytes.toString("base64")}`;
}

/** A drawing that shows a picture. */
function drawing(src: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><image href="${src}" width="90" height="90"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

describe("a print", () => {
  for (const attributes of ["", "loading=lazy", "decoding=async"])
    it(`waits for pictures on later pages (${attributes || "plain"})`, async () => {
      const renderer = await sharedRenderer();
      const html = page(
        `<p style="height: 900mm">x</p><img ${attributes} width=300 src="${await picture()}">`,
      );
      const { bytes } = await renderer.pdf({ html, deadline: ample() });
      expect(bytes.includes("/Filter /DCTDecode")).to.equal(true);
    });

  const STYLES: Record<string, (src: string) => string> = {
    background: (src) => `div { background: url(${src}) }`,
    "background of the page": (src) => `@page { background: url(${src}) }`,
    "background in print": (src) =>
      `@media print { div { background: url(${src}) } }`,
    "background of wide pages": (src) =>
      `@media (min-width: 500px) { div { background: url(${src}) } }`,
    border: (src) => `div { border: 9px solid; border-image: url(${src}) 9 }`,
    content: (src) => `div::before { content: url(${src}) }`,
    marker: (src) =>
      `div { display: list-item; list-style-image: url(${src}) }`,
    "background with a drawing": (src) =>
      `div { background: url("${drawing(src)}") }`,
  };
  for (const [name, style] of Object.entries(STYLES))
    it(`waits for a picture that only a style shows (${name})`, async () => {
      const renderer = await sharedRenderer();
      const html = page(
        `<div style="width: 200px; height: 200px; margin-left: 1em">x</div>`,
        style(await picture()),
      );
      const { bytes } = await renderer.pdf({ html, deadline: ample() });
      expect(bytes.includes("/Subtype /Image")).to.equal(true);
    });

  it("waits for a font that only a page's margin uses", async () => {
    const renderer = await sharedRenderer();
    const font = await greatVibes();
    const html = page(
      "<p>x</p>",
      `@font-face { font-family: Own; src: url(data:font/ttf;base64,${font.toString("base64")}) } @page { @top-left { content: "Head"; font-family: Own } }`,
    );
    const { bytes } = await renderer.pdf({ html, deadline: ample() });
    expect(fontNames(bytes)).to.include("GreatVibes-Regular");
  });

  it("waits for a drawing that uses another one", async () => {
    const renderer = await sharedRenderer();
    const other = encodeURIComponent(
      "<svg xmlns='http://www.w3.org/2000/svg'><rect id='a' width='9' height='9'/></svg>",
    );
    const html = page(
      `<svg><use href="data:image/svg+xml,${other}#a"/></svg><p>x</p>`,
    );
    const printed = await renderer.pdf({ html, deadline: ample() });
    expect(printed.pages).to.equal(1);
    expect(fontNames(printed.bytes)).to.deep.equal(["Inter-Regular"]);
  });
});
