import { readdirSync, readFileSync } from "node:fs";
import { expect } from "chai";
import { Compute } from "../../core/compute/index.js";
import { readPixels, shoot } from "../rendering/jobs.js";
import { page } from "../support/renderer.js";

const folder = new URL("./drawings/", import.meta.url);

/** What Chromium shows of an SVG in a page. */
async function show(svg: Uint8Array | string) {
  const base64 = Buffer.from(svg).toString("base64");
  const image = `<img src="data:image/svg+xml;base64,${base64}" alt="">`;
  const { bytes } = await shoot(page(image, "body { margin: 0 }"));
  return readPixels(bytes);
}

describe("a drawing that a program has exported", () => {
  const compute = new Compute();
  after(() => compute.stop());

  for (const name of readdirSync(folder))
    it(`is the same after it was cleaned: ${name}`, async () => {
      const bytes = readFileSync(new URL(name, folder));
      const caller = { organizationId: "", subject: "The SVG" };
      const { svg, changes } = await compute.cleanSvg(bytes, caller);
      expect(changes).to.eql([]);
      const [before, after] = [await show(bytes), await show(svg)];
      expect(new Set(before.data).size).to.be.above(50);
      expect(after.data.equals(before.data)).to.equal(true);
    });
});
