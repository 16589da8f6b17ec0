import { expect } from "chai";
import { fc } from "../../support/properties.js";
import { withoutControls } from "../../../core/definition/expressions/index.js";
import { prints } from "./vocabulary.js";

/** What an HTML reader makes of escaped text. */
const unescaped = (html: string) =>
  html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

describe("a printed value", () => {
  for (const output of ["html", "attribute"] as const)
    it(`is escaped in ${output}, whatever the data`, () => {
      fc.assert(
        fc.property(fc.string({ unit: "binary" }), (text) => {
          const html = prints("{{ root.text }}", { text }, { output });
          expect(html).to.not.match(/[<>"']|&(?!(?:lt|gt|quot|amp|#39);)/);
          expect(unescaped(html)).to.equal(withoutControls(text));
        }),
      );
    });

  it("cannot end its declaration in CSS, whatever the data", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const css = prints("{{ root.text }}", { text }, { output: "css" });
        expect(css).to.not.match(/[;{}<>"'\\:@&]|\/\*/);
      }),
    );
  });
});
