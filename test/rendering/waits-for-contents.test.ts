import { expect } from "chai";
import sharp from "sharp";
import { greatVibes } from "../support/assets.js";
import { fontNames } from "../support/read-pdf.js";
import { page } from "../support/renderer.js";
import { print } from "./jobs.js";

/** A drawing that shows a picture. */
function drawing(src: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><image href="${src}" width="90" height="90"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

const STYLES: Record<string, (src: string) => string> = {
  background: (src) => `div { background: url(${src}) }`,
  "background of the page": (src) => `@page { background: url(${src}) }`,
  "background in print": (src) =>
    `@media print { div { background: url(${src}) } }`,
  "background of wide pages": (src) =>
    `@media (min-width: 500px) { div { background: url(${src}) } }`,
  border: (src) => `div { border: 9px solid; border-image: url(${src}) 9 }`,
  content: (src) => `div::before { content: url(${src}) }`,
  marker: (src) => `div { display: list-item; list-style-image: url(${src}) }`,
  "background with a drawing": (src) =>
    `div { background: url("${drawing(src)}") }`,
};

describe("a print", () => {
  let picture: string;
  before(async () => {
    const create = {
      width: 2000,
      height: 2000,
      channels: 3,
      background: "red",
    } as const;
    const bytes = await sharp({ create }).jpeg().toBuffer();
    picture = `data:image/jpeg;base64,${bytes.toString("base64")}`;
  });

  for (const attributes of ["", "loading=lazy", "decoding=async"])
    it(`waits for pictures on later pages (${attributes || "plain"})`, async () => {
      const { bytes } = await print(
        page(
          `<p style="height: 900mm">x</p><img ${attributes} width=300 src="${picture}">`,
        ),
      );
      expect(bytes.includes("/Filter /DCTDecode")).to.equal(true);
    });

  for (const [name, style] of Object.entries(STYLES))
    it(`waits for a picture that only a style shows (${name})`, async () => {
      const { bytes } = await print(
        page(
          `<div style="width: 200px; height: 200px; margin-left: 1em">x</div>`,
          style(picture),
        ),
      );
      expect(bytes.includes("/Subtype /Image")).to.equal(true);
    });

  it("waits for a font that only a page's margin uses", async () => {
    const font = (await greatVibes()).toString("base64");
    const { bytes } = await print(
      page(
        "<p>x</p>",
        `@font-face { font-family: Own; src: url(data:font/ttf;base64,${font}) } @page { @top-left { content: "Head"; font-family: Own } }`,
      ),
    );
    expect(fontNames(bytes)).to.include("GreatVibes-Regular");
  });

  it("waits for a drawing that uses another one", async () => {
    const other = encodeURIComponent(
      "<svg xmlns='http://www.w3.org/2000/svg'><rect id='a' width='9' height='9'/></svg>",
    );
    const { bytes, pages } = await print(
      page(`<svg><use href="data:image/svg+xml,${other}#a"/></svg><p>x</p>`),
    );
    expect(pages).to.equal(1);
    expect(fontNames(bytes)).to.deep.equal(["Inter-Regular"]);
  });
});
