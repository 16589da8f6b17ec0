import { expect } from "chai";
import { ample, page, sharedRenderer } from "../support/renderer.js";

async function shot(body: string) {
  const renderer = await sharedRenderer();
  const style = "body { margin: 0 }";
  return renderer.screenshot({
    html: page(body, style),
    widthPx: 300,
    type: "png",
    deadline: ample(),
  });
}

describe("a screenshot", () => {
  it("reports elements that are too wide and characters that no font has", async () => {
    const { overflow, missingGlyphs } = await shot(
      '<p style="width: 420px">Too wide: Ꭰ</p>',
    );
    expect(overflow).to.deep.equal([
      { element: "p", text: "Too wide: Ꭰ", widthPx: 420, roomPx: 300 },
    ]);
    expect(missingGlyphs).to.deep.equal([
      { character: "Ꭰ", codePoint: "U+13A0", count: 1 },
    ]);
  });

  it("reports nothing when everything fits and every character has a glyph", async () => {
    const { overflow, missingGlyphs } = await shot("<p>All fits</p>");
    expect([...overflow, ...missingGlyphs]).to.deep.equal([]);
  });
});
