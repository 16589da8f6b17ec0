import { expect } from "chai";
import { merged } from "../support.js";

function opening(locale: string): string | undefined {
  return /<html[^>]*>/.exec(merged({ locale }).html)?.[0];
}

describe("the language of a document", () => {
  it("is its locale, with the direction in which that is written", () => {
    expect(opening("de-DE")).to.equal('<html lang="de-DE" dir="ltr">');
    expect(opening("ar-EG")).to.equal('<html lang="ar-EG" dir="rtl">');
    expect(opening("he")).to.equal('<html lang="he" dir="rtl">');
  });

  it("the html is in standards mode, or a second page would be printed", () => {
    expect(merged({}).html.startsWith("<!doctype html>")).to.equal(true);
  });
});
