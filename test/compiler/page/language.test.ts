import { expect } from "chai";
import { merged } from "../support.js";

function opening(locale: string): string | undefined {
  return /<html[^>]*>/.exec(merged({ locale }).html)?.[0];
}

describe("the language of a document", () => {
  it("is its locale, with its writing direction", () => {
    expect(opening("de-DE")).to.equal('<html lang="de-DE" dir="ltr">');
    expect(opening("ar-EG")).to.equal('<html lang="ar-EG" dir="rtl">');
    expect(opening("he")).to.equal('<html lang="he" dir="rtl">');
  });

  it("does not switch the html to quirks mode, which would print a second page", () => {
    expect(merged({}).html.startsWith("<!doctype html>")).to.equal(true);
  });
});
