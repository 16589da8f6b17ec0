import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import { expect } from "chai";
import { FONT_FAMILIES } from "../../core/rendering/index.js";
import { fontNames, pdfText } from "../support/read-pdf.js";
import { page } from "../support/renderer.js";
import { print, readPixels, shoot } from "./jobs.js";

async function readFonts(css: string, text = "Hello"): Promise<string[]> {
  const html = page(`<p>${text}</p>`, `p { ${css} }`);
  return fontNames((await print(html)).bytes);
}

describe("the fonts of a PDF", () => {
  for (const { family, aliases = [] } of FONT_FAMILIES.slice(0, 3))
    for (const name of [family, ...aliases])
      it(`are ${family} for "${name}"`, async () => {
        const [font] = await readFonts(`font-family: "${name}"`);
        expect(font?.split("-")[0]).to.equal(family.replaceAll(" ", ""));
      });

  for (const [name, font] of Object.entries({
    "sans-serif": "Inter-Regular",
    serif: "SourceSerif4-Regular",
    monospace: "JetBrainsMono-Regular",
    cursive: "GreatVibes-Regular",
    fantasy: "PlayfairDisplay-Regular",
    Arial: "Arimo-Regular",
    "'Times New Roman'": "Tinos-Regular",
    "'Courier New'": "Cousine-Regular",
    "'No such family'": "Inter-Regular",
  }))
    it(`are ${font} for ${name}`, async () => {
      expect(await readFonts(`font-family: ${name}`)).to.deep.equal([font]);
    });

  it("have real bold and italic faces", async () => {
    const text = "<b>b</b><i>i</i><b><i>bi</i></b>";
    expect(await readFonts("font-family: Inter", text)).to.deep.equal([
      "Inter-Bold",
      "Inter-BoldItalic",
      "Inter-Italic",
    ]);
  });

  it("are listed with their other names on one line each of docs/reference/fonts.md", () => {
    const lines = readFileSync("docs/reference/fonts.md", "utf8").split("\n");
    for (const { family, aliases = [] } of FONT_FAMILIES) {
      const line = lines.find((one) => one.startsWith(`| \`${family}\` `));
      expect(line, family).to.be.a("string");
      for (const alias of aliases) expect(line).to.include(`\`${alias}\``);
    }
  });
});

const draw = async (body: string, family: string) => {
  const style = `body { margin: 0; font-family: ${family} }`;
  return (await shoot(page(body, style))).bytes;
};

describe("the fonts of a screenshot", () => {
  const ordinary = "<p>Words</p>";

  for (const [named, others] of [
    ["Inter", ["unset", "sans-serif", "Nobody, sans-serif", "Nobody"]],
    ["'Source Serif 4'", ["serif"]],
    ["'JetBrains Mono'", ["monospace, monospace"]],
  ] as const)
    it(`are those of a print: ${named} for ${others.join(" or ")}`, async () => {
      const expected = await draw(ordinary, named);
      for (const family of others)
        expect((await draw(ordinary, family)).equals(expected)).to.equal(true);
    });

  it("stay the same after a document that grows with its window", async () => {
    const expected = await draw(ordinary, "Inter");
    const tail = '<div style="height: 50px; background: #00f"></div>';
    const growing = await shoot(
      page(
        `<div style="height: 100vh; background: #0f0"></div>${tail}`,
        "body { margin: 0 }",
      ),
    );
    const { at, height } = await readPixels(growing.bytes);
    expect(at(299, height - 1)).to.deep.equal([0, 0, 255]);
    expect((await draw(ordinary, "unset")).equals(expected)).to.equal(true);
  });
});

describe("the text of a PDF", () => {
  const line = "Total (VAT) 1,234,567.89 at 08:30, A-17 × 2, +41 – it’s ready";

  for (const family of ["Inter", "Source Serif 4", "JetBrains Mono"])
    it(`contains every digit and sign of ${family}, tabular or not`, async () => {
      const html = page(
        `<p>${line}</p><p style="font-variant-numeric:tabular-nums lining-nums">${line}</p>`,
        `p{font:12px "${family}"}`,
      );
      const text = await pdfText((await print(html)).bytes);
      expect(text.replaceAll(/\s/g, "")).to.equal(
        (line + line).replaceAll(/\s/g, ""),
      );
    });

  it("contains every Latin letter up to U+024F", async () => {
    const letters = Array.from({ length: 0x250 }, (_, code) =>
      String.fromCodePoint(code),
    ).filter((character) => /\p{L}/u.test(character));
    const html = page(letters.map((one) => `<p>${one}</p>`).join(""));
    // The micro sign is read as the Greek letter that it looks like.
    const text = (await pdfText((await print(html)).bytes)).replace("μ", "µ");
    expect(letters.filter((one) => !text.includes(one))).to.deep.equal([]);
  });
});

/** Language, text, and the font that has its letters. */
const samples: readonly [string, string, RegExp][] = [
  ["vi", "Tiếng Việt", /^Inter/],
  ["el", "Καλημέρα", /^Inter/],
  ["uk", "Привіт ґ", /^Inter/],
  ["ar", "مرحبا", /^IBMPlexSansArabic/],
  ["ur", "گچپژ", /^IBMPlexSansArabic/],
  ["he", "שלום", /^NotoSansHebrew/],
  ["hi", "नमस्ते", /^NotoSans/],
  ["bn", "নমসকার ১২৩ ৳", /^NotoSansBengali/],
  ["pa", "ਪੰਜਾਬੀ", /^NotoSansGurmukhi/],
  ["gu", "નમન", /^NotoSansGujarati/],
  ["or", "ନମସ", /^NotoSansOriya/],
  ["ta", "தமிழ்", /^NotoSansTamil/],
  ["te", "తెలుగు", /^NotoSansTelugu/],
  ["kn", "ಕನನಡ", /^NotoSansKannada/],
  ["ml", "മലയാളം", /^NotoSansMalayalam/],
  ["si", "සංහල", /^NotoSansSinhala/],
  ["th", "สวัสดี", /^NotoSansThai/],
  ["lo", "ພາສາລາວ", /^NotoSansLao/],
  ["km", "ភាសា", /^NotoSansKhmer/],
  ["my", "မာဘာသာ", /^NotoSansMyanmar/],
  ["dz", "བོད་", /^NotoSerifTibetan/],
  ["am", "አማርኛ", /^NotoSansEthiopic/],
  ["ka", "ქართული", /^NotoSansGeorgian/],
  ["hy", "Հայերեն", /^NotoSansArmenian/],
  ["ja", "日本語の請求書", /^BIZUDPGothic/],
  ["zh", "发票编号", /^NotoSansSC/],
  ["zh-TW", "發票編號", /^NotoSansSC/],
  ["ko", "청구서", /^NanumGothic/],
  ["en", "∑𝔹", /^NotoSansMath/],
  ["en", "⠓⠑", /^NotoSansSymbols2/],
];

/** Language, and a syllable that is drawn as one shape, narrower than its letters side by side. */
const clusters: readonly [string, string][] = [
  ["bn", "স্ত্রী"],
  ["gu", "ક્ષ"],
  ["or", "ସ୍ତ୍ରୀ"],
  ["ta", "ஸ்ரீ"],
  ["te", "స్త్రీ"],
  ["kn", "ಸ್ತ್ರೀ"],
  ["ml", "ക്ഷ"],
  ["si", "ශ්‍රී"],
  ["hi", "स्त्री"],
  ["km", "ស្ត្រី"],
  ["my", "က္က"],
  ["dz", "སྒྲུ"],
];

/** How wide a text is printed, read from what is reported of a text that is wider than its page. */
async function measureWidth(text: string, language: string): Promise<number> {
  const style =
    "p { font-size: 500px; white-space: nowrap; width: max-content }";
  const margin = { top: 0, right: 0, bottom: 0, left: 0 };
  const box = { widthPx: 100, heightPx: 800, margin };
  const html = page(`<p>${text}</p>`, style, language);
  return (await print(html, { page: box })).overflow[0]?.widthPx ?? 0;
}

describe("scripts of the world", () => {
  for (const [language, text, font] of samples)
    it(`prints ${text} (${language}) with an embedded font`, async () => {
      const { bytes } = await print(page(`<p>${text}</p>`, "", language));
      const letters = Array.from((await pdfText(bytes)).normalize("NFKC"));
      expect(letters).to.include.members(Array.from(text.normalize("NFKC")));
      expect(fontNames(bytes).some((name) => font.test(name))).to.equal(true);
    });

  for (const [language, cluster] of clusters)
    it(`joins the letters of ${cluster} (${language})`, async () => {
      const spaced = Array.from(cluster).join("\u200b");
      expect(await measureWidth(cluster, language)).to.be.lessThan(
        0.9 * (await measureWidth(spaced, language)),
      );
    });

  it("prints emoji as color images", async () => {
    const { bytes } = await print(page("<p>😀🎉🇩🇪</p>"));
    expect(bytes.includes("/Subtype /Type3")).to.equal(true);
    expect(await pdfText(bytes)).to.include("😀");
  });
});

/** A line of each script that is used in business, by its language. */
const lines: readonly [string, string][] = [
  ["en", "Invoice for Müller & Söhne, office file"],
  ["vi", "Hóa đơn số một của Nguyễn Thị Phượng"],
  ["el", "Τιμολόγιο για την εταιρεία"],
  ["ru", "Счёт на оплату за услуги"],
  ["hy", "Հաշիվ ապրանքագիր Երևան"],
  ["ka", "ინვოისი მომსახურებისთვის"],
  ["he", "חשבונית מס עבור שירותים"],
  ["fa", "صورتحساب شماره پنج برای مشتری"],
  ["ur", "رسید نمبر پانچ گاہک کے لیے"],
  ["hi", "सेवा के लिए चालान और राशि हिन्दी"],
  ["bn", "পরিষেবার জন্য চালান নম্বর"],
  ["pa", "ਸੇਵਾ ਲਈ ਚਲਾਨ ਨੰਬਰ"],
  ["gu", "સેવા માટે ભરતિયું નંબર"],
  ["or", "ସେବା ପାଇଁ ଚାଲାଣ ନମ୍ବର"],
  ["ta", "சேவைக்கான விலைப்பட்டியல் எண்"],
  ["te", "సేవ కోసం ఇన్వాయిస్ సంఖ్య"],
  ["kn", "ಸೇವೆಗಾಗಿ ಸರಕುಪಟ್ಟಿ ಸಂಖ್ಯೆ"],
  ["ml", "സേവനത്തിനുള്ള ഇൻവോയ്സ് നമ്പർ"],
  ["si", "සේවාව සඳහා ඉන්වොයිස් අංකය"],
  ["th", "ใบแจ้งหนี้สำหรับบริการที่ได้รับ"],
  ["lo", "ໃບເກັບເງິນສໍາລັບການບໍລິການ"],
  ["km", "វិក្កយបត្រសម្រាប់សេវាកម្ម"],
  ["my", "ဝန်ဆောင်မှုအတွက် ငွေတောင်းခံလွှာ"],
  ["dz", "ཞབས་ཏོག་གི་དངུལ་འཛིན་སྒྲིག"],
  ["am", "ለአገልግሎት ደረሰኝ ቁጥር"],
  ["ja", "サービスの請求書番号"],
  ["zh", "服务发票编号"],
  ["ko", "서비스 청구서 번호"],
  ["ar", "فاتورة رقم خمسة لشركة سرور"],
];
/** PDFium, and so Chrome, repeats letters around marks that stand above others. */
const repeated = ["hi", "th", "km", "my"];

/** Without what cannot be seen, and in which programs differ. */
function toLetters(text: string): string {
  return text.normalize("NFC").replaceAll(/[\s\p{Cf}\p{Cc}\ufffe]/gu, "");
}

async function copyWithPdfium(bytes: Uint8Array): Promise<string> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(bytes);
  const text = document.getPage(0).getText();
  document.destroy();
  library.destroy();
  return toLetters(text);
}

/** Null where Poppler is not installed. */
function copyWithPoppler(bytes: Uint8Array): string | null {
  const options = { input: bytes, encoding: "utf8" } as const;
  const { status, stdout } = spawnSync(
    "pdftotext",
    ["-layout", "-", "-"],
    options,
  );
  return status === 0 ? toLetters(stdout) : null;
}

describe("text that is copied from a PDF", () => {
  for (const [language, text] of lines)
    it(`is ${text} (${language}) in Chrome${repeated.includes(language) ? ", with letters twice," : ""} and Poppler`, async () => {
      const { bytes } = await print(page(`<p>${text}</p>`, "", language));
      const letters = toLetters(text);
      const copied = await copyWithPdfium(bytes);
      if (repeated.includes(language))
        expect([...new Set(copied)].toSorted()).to.eql(
          [...new Set(letters)].toSorted(),
        );
      else expect(copied).to.equal(letters);
      expect(copyWithPoppler(bytes) ?? letters).to.equal(letters);
    });

  it("has the two letters of lam with alef in the order in which they are seen", async () => {
    const { bytes } = await print(page("<p>السلام</p>", "", "ar"));
    expect(await copyWithPdfium(bytes)).to.equal("السالم");
  });
});

const readMissing = async (html: string, overlay?: (pages: number) => string) =>
  (await print(html, overlay && { overlay })).missingGlyphs;

const svgUrl = (inside: string) =>
  `data:image/svg+xml;base64,${Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="90" height="20">${inside}</svg>`).toString("base64")}`;

describe("characters that no font has", () => {
  const cherokee = Array.from({ length: 30 }, (_, index) =>
    String.fromCodePoint(0x13a0 + index),
  );

  it("are reported with their number, the most frequent first, each a box of its own", async () => {
    expect(await readMissing(page("<p>Ꭰ Ꭱ Ꭱ \u{13000}</p>"))).to.eql([
      { character: "Ꭱ", codePoint: "U+13A1", count: 2 },
      { character: "Ꭰ", codePoint: "U+13A0", count: 1 },
      { character: "\u{13000}", codePoint: "U+13000", count: 1 },
    ]);
    expect(await readMissing(page(cherokee.join(" ")))).to.have.length(30);
    const written = page(
      "<p>&#5024; &#x13a1;</p>",
      "p::after{content:'\\13a2'}",
    );
    expect(
      (await readMissing(written)).map(({ codePoint }) => codePoint),
    ).to.eql(["U+13A0", "U+13A1", "U+13A2"]);
  });

  for (const [language, text, font, ...missing] of [
    ["ja", "𠮷田商店𩸽𣘺𡈽𠮟𥔎𨉷髙﨑濵塚德 御中", /^NotoSansRareHan/],
    ["zh-HK", "𨋢佢哋嘅𠝹", /^NotoSans/],
    ["ja", "東京𠀂田商店 御中", /^BIZUDPGothic/, "U+20002"],
    ["zh", "发票𠀂编号", /^NotoSansSC/, "U+20002"],
    ["ko", "청구𠀂서", /^NanumGothic/, "U+20002"],
    ["en", "Total Ꭰ due", /^Inter/, "U+13A0"],
    ["ar", "مرحبا 𞤀 مرحبا", /^IBMPlexSansArabic/, "U+1E900"],
    ["hi", "नमस्तेꯃनमस्ते", /^NotoSans-/, "U+ABC3"],
    ["th", "สวัสดีꦗสวัสดี", /^NotoSansThai/, "U+A997"],
  ] as const)
    it(`leave every other character in its font: ${text} (${language})`, async () => {
      const { bytes, missingGlyphs } = await print(
        page(`<p>${text}</p>`, "", language),
      );
      expect(missingGlyphs.map(({ codePoint }) => codePoint)).to.eql(missing);
      const names = fontNames(bytes);
      expect(
        names.some((name) => font.test(name)),
        names.join(),
      ).to.equal(true);
      expect(names.some((name) => name.startsWith("PlatenBoxes"))).to.equal(
        missing.length > 0,
      );
      // Compatibility ideographs are read as the characters that they look like.
      const letters = Array.from((await pdfText(bytes)).normalize("NFKC"));
      expect(letters).to.include.members(
        Array.from(text.replaceAll(" ", "").normalize("NFKC")),
      );
    });

  it("do not occur in the scripts that the fonts cover", async () => {
    const text =
      "Zażółć Ελλάδα Україна العربية עברית हिन्दी বাংলা অসমীয়া ਪੰਜਾਬੀ ગુજરાતી ଓଡ଼ିଆ தமிழ் తెలుగు ಕನ್ನಡ മലയാളം සිංහල ภาษาไทย ພາສາລາວ ភាសាខ្មែរ မြန်မာ བོད་སྐད་ አማርኛ ქართული Հայերեն 日本語 中文 한국어 € → ☂ ♞ ∑ 😀 👩‍👩‍👧 🇩🇪 1️⃣";
    expect(await readMissing(page(text))).to.deep.equal([]);
  });

  it("do not occur in Hangul that is written in single letters, which are printed as syllables", async () => {
    const text = "한국어 청구서".normalize("NFD");
    expect(await readMissing(page(text))).to.deep.equal([]);
    const [glyph] = await readMissing(page(`${text} \u1113`));
    expect(glyph?.character).to.equal("\u1113");
  });

  it("are not reported for invisible characters, nor in tags, comments and titles", async () => {
    const invisible = "a\u200d\u2060\u00ad\u200f\ufeff\ufe0f\u2003\u3000b";
    const html = `<!-- Ꭰ --><svg><title>Ꭰ</title></svg><p title="Ꭰ">${invisible}</p>`;
    expect(await readMissing(page(html))).to.deep.equal([]);
  });

  it("are reported in the margins of pages and in overlays", async () => {
    const style = '@page { @top-left { content: "Ꭰ" } }';
    const inMargin = await readMissing(page("<p>a</p>", style));
    const inOverlay = await readMissing(page("<p>a</p>"), () => page("Ꭰ"));
    for (const [glyph] of [inMargin, inOverlay])
      expect(glyph?.character).to.equal("Ꭰ");
  });

  it("are reported in the text of SVG images, unless these have fonts of their own", async () => {
    const image = (inside: string) => `<img src="${svgUrl(inside)}" alt="">`;
    const html = page(
      `<p>Ꭰ</p>${image('<title>Ꭲ</title><text y="15">aᎠ<tspan>ᎡᎡᎡ</tspan></text>')}` +
        image(`<image href="${svgUrl('<text y="15">Ꭳ</text>')}"/>`) +
        image(
          '<style>@font-face{font-family:a;src:url(data:font/woff2;base64,AA)}</style><text y="15">Ꭴ</text>',
        ),
      `p { background: url("${svgUrl('<foreignObject width="90" height="20"><p xmlns="http://www.w3.org/1999/xhtml">Ꭵ</p></foreignObject>')}") }`,
    );
    const glyphs = await readMissing(html);
    expect(
      Object.fromEntries(
        glyphs.map(({ character, count }) => [character, count]),
      ),
    ).to.eql({ Ꭱ: 3, Ꭰ: 2, Ꭳ: 1, Ꭵ: 1 });
  });
});
