import { expect } from "chai";
import sharp from "sharp";
import { ample, page, sharedRenderer } from "../support/renderer.js";

const html = page(
  "<div></div>",
  "body { margin: 0 } div { height: 700px; background: #00f } @media print { div { background: #f00 } }",
);

describe("a screenshot", () => {
  it("shows the whole document at the requested width with screen styles", async () => {
    const renderer = await sharedRenderer();
    const shot = await renderer.screenshot({
      html,
      widthPx: 600,
      type: "png",
      scale: 2,
      deadline: ample(),
    });
    const facts = await sharp(shot.bytes).metadata();
    const { dominant } = await sharp(shot.bytes).stats();
    expect([facts.width, facts.height]).to.deep.equal([1200, 1400]);
    expect([shot.widthPx, shot.heightPx]).to.deep.equal([1200, 1400]);
    expect(dominant.b).to.be.greaterThan(240);
  });

  for (const type of ["png", "jpg"] as const)
    it(`says how many pixels an inch has (${type})`, async () => {
      const renderer = await sharedRenderer();
      const job = { html, widthPx: 300, type, scale: 1.5 };
      const { bytes } = await renderer.screenshot({
        ...job,
        deadline: ample(),
      });
      expect((await sharp(bytes).metadata()).density).to.equal(144);
    });

  it("shows nothing of the previous document", async () => {
    const renderer = await sharedRenderer();
    const job = { html, type: "jpg", scale: 1 } as const;
    await renderer.screenshot({ ...job, widthPx: 900, deadline: ample() });
    const shot = await renderer.screenshot({
      ...job,
      html: page("<p style='height: 150px; margin: 0'>x</p>", "body{margin:0}"),
      widthPx: 300,
      deadline: ample(),
    });
    expect([shot.widthPx, shot.heightPx]).to.deep.equal([300, 150]);
  });
});
