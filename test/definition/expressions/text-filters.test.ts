import { expect } from "chai";
import { value } from "./vocabulary.js";

const data = {
  name: "JOHN o'neil-smith",
  long: "The quick brown fox",
  family: "👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧",
  card: "1234 5678 9012 3456",
};

describe("text filters", () => {
  const cases: [string, string][] = [
    ["name | upper", "JOHN O'NEIL-SMITH"],
    ["name | lower", "john o'neil-smith"],
    ["name | title", "John O'neil-Smith"],
    ["'i' | upper('tr-TR')", "İ"],
    ["long | truncate(9)", "The quick…"],
    ["long | truncate(10, '...')", "The quick..."],
    ["long | truncate(99)", "The quick brown fox"],
    ["family | truncate(2)", "👨‍👩‍👧👨‍👩‍👧…"],
    ["root.none | default('-')", "-"],
    ["'' | default('-')", "-"],
    ["0 | default('-')", "0"],
    ["root.none | default(1 + 1)", "2"],
    ["card | mask('**** **** **** ####')", "**** **** **** 3456"],
    ["'12345678' | mask('####-####')", "1234-5678"],
    ["'123456' | mask('####-####')", "1234-56"],
    ["'123456789' | mask('####-####')", "1234-56789"],
    ["'DE1234' | mask('## ##')", "DE 1234"],
    ["1 | ordinal", "1st"],
    ["22 | ordinal", "22nd"],
    ["113 | ordinal", "113th"],
    ["1 | ordinal('fr-FR')", "1er"],
    ["3 | ordinal('de-DE')", "3."],
    ["1.5 | ordinal", "1.5"],
    ["1234.56 | words", "one thousand two hundred thirty-four and 56/100"],
    ["0 | words", "zero"],
    ["-2 | words", "minus two"],
    ["21 | words('de-DE')", "einundzwanzig"],
    ["21.5 | words('fr-FR')", "vingt et un et 50/100"],
    ["21 | words('es-ES')", "veintiuno"],
    ["21 | words('xx')", "twenty-one"],
    ["'abc' | words", "abc"],
  ];
  for (const [expression, printed] of cases) {
    it(`${expression} is ${printed || "nothing"}`, () => {
      expect(value(expression, data)).to.equal(printed);
    });
  }

  it("write amounts in words with the decimals of the currency", () => {
    expect(value("2.6 | words", {}, { currency: "JPY" })).to.equal("three");
    expect(value("2.5 | words", {}, { currency: "KWD" })).to.equal(
      "two and 500/1000",
    );
  });
});
