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
    expect(await missing(page("<p>Ꭰ Ꭱ Ꭱ \u{13000}</p>"))).to.deep.equal([
      { character: "Ꭱ", codePoint: "U+13A1", count: 2 },
      { character: "Ꭰ", codePoint: "U+13A0", count: 1 },
      { character: "\u{13000}", codePoint: "U+13000", count: 1 },
    ]);
  });

  it("are reported up to 20", async () => {
    const cherokee = Array.from({ length: 30 }, (_, index) =>
      String.fromCodePoint(0x13a0 + index),
    );
    expect(await missing(page(cherokee.join(" ")))).to.have.length(20);
  });

  it("do not occur in the scripts that the fonts cover", async () => {
    const text =
      "Zażółć Ελλάδα Україна العربية עברית हिन्दी বাংলা অসমীয়া ਪੰਜਾਬੀ ગુજરાતી ଓଡ଼ିଆ தமிழ் తెలుగు ಕನ್ನಡ മലയാളം සිංහල ภาษาไทย ພາສາລາວ ភាសាខ្មែរ မြန်မာ བོད་སྐད་ አማርኛ ქართული Հայերեն 日本語 中文 한국어 € → ☂ ♞ ∑ 😀 👩‍👩‍👧 🇩🇪 1️⃣";
    expect(await missing(page(text))).to.deep.equal([]);
  });

  it("do not occur in Hangul that is written in single letters, which are printed as syllables", async () => {
    const text = "한국어 청구서".normalize("NFD");
    expect(await missing(page(text))).to.deep.equal([]);
    const [glyph] = await missing(page(`${text} \u1113`));
    expect(glyph?.character).to.equal("\u1113");
  });

  it("are not reported for invisible characters, nor in tags, comments and titles", async () => {
    const invisible = "a\u200d\u2060\u00ad\u200f\ufeff\ufe0f\u2003\u3000b";
    const html = `<!-- Ꭰ --><svg><title>Ꭰ</title></svg><p title="Ꭰ">${invisible}</p>`;
    expect(await missing(page(html))).to.deep.equal([]);
  });

  it("are reported in the margins of pages", async () => {
    const style = '@page { @top-left { content: "Ꭰ" } }';
    const [glyph] = await missing(page("<p>a</p>", style));
    expect(glyph?.character).to.equal("Ꭰ");
  });

  it("are reported in overlays", async () => {
    const [glyph] = await missing(page("<p>a</p>"), () => page("Ꭰ"));
    expect(glyph?.character).to.equal("Ꭰ");
  });
});
