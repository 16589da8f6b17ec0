import { expect } from "chai";
import { fontNames, pdfText } from "../support/read-pdf.js";
import { ample, page, sharedRenderer } from "../support/renderer.js";

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
  const renderer = await sharedRenderer();
  const html = page(
    `<p>${text}</p>`,
    "p { font-size: 500px; white-space: nowrap; width: max-content }",
    language,
  );
  const margin = { top: 0, right: 0, bottom: 0, left: 0 };
  const box = { widthPx: 100, heightPx: 800, margin };
  const job = { html, page: box, deadline: ample() };
  return (await renderer.pdf(job)).overflow[0]?.widthPx ?? 0;
}

describe("scripts of the world", () => {
  for (const [language, text, font] of samples)
    it(`prints ${text} (${language}) with an embedded font`, async () => {
      const renderer = await sharedRenderer();
      const html = page(`<p>${text}</p>`, "", language);
      const { bytes } = await renderer.pdf({ html, deadline: ample() });
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
    const renderer = await sharedRenderer();
    const html = page("<p>😀🎉🇩🇪</p>");
    const { bytes } = await renderer.pdf({ html, deadline: ample() });
    expect(bytes.includes("/Subtype /Type3")).to.equal(true);
    expect(await pdfText(bytes)).to.include("😀");
  });
});
