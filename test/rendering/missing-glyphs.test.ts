import { expect } from "chai";
import type { MissingGlyph } from "../../core/rendering/index.js";
import { ample, page, sharedRenderer } from "../support/renderer.js";

async function missing(
  html: string,
  overlay?: (pages: number) => string,
): Promise<MissingGlyph[]> {
  const renderer = await sharedRenderer();
  const strips = overlay && { overlay };
  const job = { html, ...strips, deadline: ample() };
  return (await renderer.pdf(job)).missingGlyphs;
}

describe("characters that no font has", () => {
  it("are reported with their number, the most frequent first", async () => {
    expect(await missing(page("<p>ক খ খ \u{13000}</p>"))).to.deep.equal([
      { character: "খ", codePoint: "U+0996", count: 2 },
      { character: "ক", codePoint: "U+0995", count: 1 },
      { character: "\u{13000}", codePoint: "U+13000", count: 1 },
    ]);
  });

  it("are reported up to 20", async () => {
    const bengali = Array.from({ length: 30 }, (_, index) =>
      String.fromCodePoint(0x0995 + index),
    );
    expect(await missing(page(bengali.join(" ")))).to.have.length(20);
  });

  it("do not occur in the scripts that the fonts cover", async () => {
    const text =
      "Zażółć Ελλάδα Україна العربية עברית हिन्दी ภาษาไทย 日本語 中文 한국어 € → ☂ ♞ ∑ 😀 👩‍👩‍👧 🇩🇪 1️⃣";
    expect(await missing(page(text))).to.deep.equal([]);
  });

  it("are not reported for invisible characters, nor in tags, comments and titles", async () => {
    const invisible = "a\u200d\u2060\u00ad\u200f\ufeff\ufe0f\u2003\u3000b";
    const html = `<!-- ক --><svg><title>ক</title></svg><p title="ক">${invisible}</p>`;
    expect(await missing(page(html))).to.deep.equal([]);
  });

  it("are reported in the margins of pages", async () => {
    const style = '@page { @top-left { content: "ক" } }';
    const [glyph] = await missing(page("<p>a</p>", style));
    expect(glyph?.character).to.equal("ক");
  });

  it("are reported in overlays", async () => {
    const [glyph] = await missing(page("<p>a</p>"), () => page("ক"));
    expect(glyph?.character).to.equal("ক");
  });
});
