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

describe("html and attribute output", () => {
  for (const output of ["html", "attribute"] as const) {
    it(`escapes all data in ${output}`, () => {
      fc.assert(
        fc.property(fc.string({ unit: "binary" }), (text) => {
          const html = prints("{{ root.text }}", { text }, { output });
          expect(html).to.not.match(/[<>"']|&(?!(?:lt|gt|quot|amp|#39);)/);
          expect(unescaped(html)).to.equal(withoutControls(text));
        }),
      );
    });

    it(`removes characters that neither HTML nor XML allows in ${output}`, () => {
      expect(
        prints(
          "{{ a }}",
          { a: "\u0000a\tb\u0001\n\u001b\u0085\r" },
          { output },
        ),
      ).to.equal("a\tb\n\r");
    });

    it(`escapes literal text in ${output}`, () => {
      expect(prints('<b> & "{{ 1 }}"', {}, { output })).to.equal(
        "&lt;b&gt; &amp; &quot;1&quot;",
      );
    });
  }

  it("leaves plain output unescaped", () => {
    const setting = { output: "plain" } as const;
    expect(prints("<{{ a }}>", { a: "<&>" }, setting)).to.equal("<<&>>");
  });
});
