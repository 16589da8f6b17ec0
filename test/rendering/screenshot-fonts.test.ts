import { expect } from "chai";
import { before, describe, it } from "mocha";
import sharp from "sharp";
import type { Renderer } from "../../core/rendering/index.js";
import { ample, page, startRenderer } from "../support/renderer.js";

const ORDINARY = "<p>Words</p>";

/** A tail below something as high as the window. */
const GROWING =
  '<div style="height: 100vh; background: #0f0"></div><div style="height: 50px; background: #00f"></div>';

describe("the fonts of a screenshot", () => {
  let renderer: Renderer;
  const draw = async (body: string, family: string): Promise<Buffer> => {
    const html = page(body, `body { margin: 0; font-family: ${family} }`);
    const shape = { widthPx: 300, type: "png", scale: 1 } as const;
    const job = { html, deadline: ample(), ...shape };
    return (await renderer.screenshot(job)).bytes;
  };

  before(async () => {
    renderer = await startRenderer();
  });

  for (const [named, others] of [
    ["Inter", ["unset", "sans-serif", "Nobody, sans-serif", "Nobody"]],
    ["'Source Serif 4'", ["serif"]],
    ["'JetBrains Mono'", ["monospace, monospace"]],
  ] as const)
    it(`are those of a print: ${named} for ${others.join(" or ")}`, async () => {
      const expected = await draw(ORDINARY, named);
      for (const family of others)
        expect((await draw(ORDINARY, family)).equals(expected)).to.equal(true);
    });

  it("stay the same after a document that grows with its window", async () => {
    const expected = await draw(ORDINARY, "Inter");
    const growing = await draw(GROWING, "Inter");
    const raw = await sharp(growing).removeAlpha().raw().toBuffer();
    expect([...raw.subarray(-3)]).to.deep.equal([0, 0, 255]);
    expect((await draw(ORDINARY, "unset")).equals(expected)).to.equal(true);
  });
});
