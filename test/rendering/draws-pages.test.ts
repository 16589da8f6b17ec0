import { expect } from "chai";
import sharp from "sharp";
import { ample, page, sharedRenderer } from "../support/renderer.js";

const html = page(
  "<div>One</div><div>Two</div><div>Three</div>",
  "@page { size: 100mm 50mm; margin: 0; @top-left { content: 'Head' } } body { margin: 0 } div { height: 50mm; background: #f00 }",
);

async function pdf(): Promise<Buffer> {
  const renderer = await sharedRenderer();
  return (await renderer.pdf({ html, deadline: ample() })).bytes;
}

describe("pictures of a PDF's pages", () => {
  for (const type of ["png", "jpg"] as const)
    it(`are ${type} at twice the CSS size`, async () => {
      const renderer = await sharedRenderer();
      const job = { pdf: await pdf(), type, pages: "1", deadline: ample() };
      const [image] = await renderer.images(job);
      const facts = await sharp(image?.bytes).metadata();
      expect(facts.format).to.equal(type === "jpg" ? "jpeg" : "png");
      expect(facts.width).to.equal(image?.widthPx);
      expect(facts.height).to.equal(image?.heightPx);
      expect(facts.width).to.be.closeTo((100 / 25.4) * 96 * 2, 3);
      expect(facts.hasAlpha).to.equal(false);
    });

  it("show the page's colors", async () => {
    const renderer = await sharedRenderer();
    const job = { pdf: await pdf(), pages: "2", deadline: ample() };
    const [image] = await renderer.images({ ...job, type: "png", scale: 1 });
    const { dominant } = await sharp(image?.bytes).stats();
    expect(dominant.r).to.be.greaterThan(240);
    expect(dominant.g).to.be.lessThan(16);
  });

  it("are the selected pages, in the requested order", async () => {
    const renderer = await sharedRenderer();
    const job = { pdf: await pdf(), type: "png", scale: 0.5 } as const;
    for (const [choice, pages] of [
      ["all", [1, 2, 3]],
      ["3,1-2", [3, 1, 2]],
      ["2, 2", [2]],
    ] as const) {
      const images = await renderer.images({
        ...job,
        pages: choice,
        deadline: ample(),
      });
      expect(images.map((image) => image.page)).to.deep.equal(pages);
    }
  });
});
