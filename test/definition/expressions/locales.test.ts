import { expect } from "chai";
import { value } from "./vocabulary.js";

const data = { n: -1234567.891, day: "2024-02-29" };

// number, currency, date, date by pattern: no-break spaces and direction marks are taken out
const cases: Record<string, [string, string, string, string, string]> = {
  "de-DE": [
    "EUR",
    "-1.234.567,89",
    "-1.234.567,89 €",
    "29.02.2024",
    "29 Feb. 2024",
  ],
  "fr-FR": [
    "EUR",
    "-1 234 567,89",
    "-1 234 567,89 €",
    "29 févr. 2024",
    "29 févr. 2024",
  ],
  "ja-JP": [
    "JPY",
    "-1,234,567.89",
    "-￥1,234,568",
    "2024/02/29",
    "29 2月 2024",
  ],
  "ar-EG": [
    "EGP",
    "-١٬٢٣٤٬٥٦٧٫٨٩",
    "-١٬٢٣٤٬٥٦٧٫٨٩ ج.م.",
    "٢٩/٠٢/٢٠٢٤",
    "٢٩ فبراير ٢٠٢٤",
  ],
  "hi-IN": [
    "INR",
    "-12,34,567.89",
    "-₹12,34,567.89",
    "29 फ़र॰ 2024".normalize(),
    "29 फ़र॰ 2024".normalize(),
  ],
};

const plain = (text: string) =>
  text
    .replaceAll(/[\u00a0\u202f]/g, " ")
    .replaceAll(/[\u200e\u200f\u061c]/g, "")
    .normalize();

describe("the definition's locale", () => {
  for (const [
    locale,
    [currency, number, amount, date, pattern],
  ] of Object.entries(cases)) {
    const setting = { locale, currency };
    const printed = (filter: string, field: string) =>
      plain(value(`${field} | ${filter}`, data, setting));

    it(`${locale} formats numbers`, () => {
      expect(printed("number('0,0.00')", "n")).to.equal(number);
    });
    it(`${locale} formats amounts`, () => {
      expect(printed("currency", "n")).to.equal(amount);
    });
    it(`${locale} formats dates`, () => {
      expect(printed("date", "day")).to.equal(date);
      expect(printed("date('dd MMM yyyy')", "day")).to.equal(pattern);
    });
  }

  it("is overridden by an argument", () => {
    const setting = { locale: "de-DE" };
    expect(value("1234.5 | number('0,0.0', 'en-US')", {}, setting)).to.equal(
      "1,234.5",
    );
  });

  it("is English when it is not a valid locale", () => {
    expect(value("1234.5 | number", {}, { locale: "not a tag" })).to.equal(
      "1,234.5",
    );
  });
});
