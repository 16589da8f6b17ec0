import { expect } from "chai";
import { FONT_FAMILIES } from "../../core/rendering/index.js";
import { fontNames } from "../support/read-pdf.js";
import { ample, page, sharedRenderer } from "../support/renderer.js";

async function fontsFor(css: string, text = "Hello"): Promise<string[]> {
  const renderer = await sharedRenderer();
  const html = page(`<p>${text}</p>`, `p { ${css} }`);
  return fontNames((await renderer.pdf({ html, deadline: ample() })).bytes);
}

describe("the fonts of a PDF", () => {
  for (const { family, aliases = [] } of FONT_FAMILIES.slice(0, 3))
    for (const name of [family, ...aliases])
      it(`are ${family} for "${name}"`, async () => {
        const [font] = await fontsFor(`font-family: "${name}"`);
        expect(font?.split("-")[0]).to.equal(family.replaceAll(" ", ""));
      });

  const generics = {
    "sans-serif": "Inter-Regular",
    serif: "SourceSerif4-Regular",
    monospace: "JetBrainsMono-Regular",
    cursive: "GreatVibes-Regular",
    fantasy: "PlayfairDisplay-Regular",
    Arial: "Arimo-Regular",
    "'Times New Roman'": "Tinos-Regular",
    "'Courier New'": "Cousine-Regular",
    "'No such family'": "Inter-Regular",
  };
  for (const [name, font] of Object.entries(generics))
    it(`are ${font} for ${name}`, async () => {
      expect(await fontsFor(`font-family: ${name}`)).to.deep.equal([font]);
    });

  it("have real bold and italic faces", async () => {
    const text = "<b>b</b><i>i</i><b><i>bi</i></b>";
    expect(await fontsFor("font-family: Inter", text)).to.deep.equal([
      "Inter-Bold",
      "Inter-BoldItalic",
      "Inter-Italic",
    ]);
  });
});
