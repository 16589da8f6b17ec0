import { expect } from "chai";
import sharp from "sharp";
import { ample, page, sharedRenderer } from "../support/renderer.js";

const html = page(
  '<div style="background: #f00"></div><div style="background: #0f0"></div>',
  "@page { size: 100px 50px; margin: 0 } body { margin: 0 } div { height: 50px }",
);

describe("one picture of several pages", () => {
  it("shows them one below the other", async () => {
    const renderer = await sharedRenderer();
    const { bytes: pdf } = await renderer.pdf({ html, deadline: ample() });
    const images = await renderer.images({
      pdf,
      type: "png",
      pages: "all",
      scale: 1,
      isSingle: true,
      deadline: ample(),
    });
    expect(images).to.have.lengthOf(1);
    const raw = sharp(images[0]?.bytes).raw();
    const { data, info } = await raw.toBuffer({ resolveWithObject: true });
    expect(info.width).to.equal(100);
    expect(info.height).to.be.closeTo(100, 2);
    const colourAt = (line: number) => {
      const at = (line * info.width + 50) * info.channels;
      return [...data.subarray(at, at + 3)];
    };
    expect(colourAt(25)).to.deep.equal([255, 0, 0]);
    expect(colourAt(75)).to.deep.equal([0, 255, 0]);
  });

  it("that would be too large is rejected before it is drawn", async () => {
    const renderer = await sharedRenderer();
    const { bytes: pdf } = await renderer.pdf({ html, deadline: ample() });
    const job = { pdf, type: "png", pages: "all", scale: 100 } as const;
    const error: unknown = await renderer
      .images({ ...job, isSingle: true, deadline: ample() })
      .catch((reason: unknown) => reason);
    expect(error).to.have.property("code", "too_large");
  });
});
