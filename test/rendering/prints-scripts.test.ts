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
  ["th", "สวัสดี", /^NotoSansThai/],
  ["ja", "日本語の請求書", /^BIZUDPGothic/],
  ["zh", "发票编号", /^NotoSansSC/],
  ["zh-TW", "發票編號", /^NotoSansSC/],
  ["ko", "청구서", /^NanumGothic/],
  ["en", "∑𝔹", /^NotoSansMath/],
  ["en", "⠓⠑", /^NotoSansSymbols2/],
];

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

  it("prints emoji as color images", async () => {
    const renderer = await sharedRenderer();
    const html = page("<p>😀🎉🇩🇪</p>");
    const { bytes } = await renderer.pdf({ html, deadline: ample() });
    expect(bytes.includes("/Subtype /Type3")).to.equal(true);
    expect(await pdfText(bytes)).to.include("😀");
  });
});
