import { expect } from "chai";
import { compileTemplate } from "../../../core/compiler/index.js";
import { checkDefinition } from "../../../core/definition/index.js";
import { expectAccepted } from "../../support/properties.js";
import { createDefinition, OPTIONS, text } from "../support.js";

// Words that exist in JavaScript, in nunjucks or in this compiler, and are no data.

const words = [
  ...new Set([
    ...Object.getOwnPropertyNames(Object.prototype),
    ...Object.getOwnPropertyNames(Function.prototype),
    ...Object.getOwnPropertyNames(Array.prototype),
    ...Object.getOwnPropertyNames(String.prototype),
    ...Object.getOwnPropertyNames(globalThis),
    ..."range cycler joiner caller super self loop env item context".split(" "),
    ..."scope brace hash x t each s0 s1 draws tests loops".split(" "),
  ]),
].filter((word) => /^[a-z_$][\w$]*$/i.test(word));

/** What a template prints for an expression; null when it is refused. */
function printed(source: string, data: object): string | null {
  const written = createDefinition([text(`a${source}`)]);
  const { definition } = checkDefinition(written, "document");
  if (definition === null) return null;
  const { html } = compileTemplate(definition, "document").merge(data, OPTIONS);
  return /<main><p>a([^]*)<\/p><\/main>/.exec(html)?.[1] ?? html;
}

const data = { list: [], own: "a", one: {} };

describe("an expression reads only own properties of the data", () => {
  for (const owner of ["", "root.", "root.one.", "root.list.", "root.own."])
    it(`for every identifier after "${owner}"`, () => {
      expectAccepted(words.length / 2, (accept) => {
        for (const word of words) {
          const value = printed(`{{ ${owner}${word} }}`, data);
          expect(value || "", word).to.equal("");
          if (value !== null) accept();
        }
      });
    });

  it("and calls only the functions of the language", () => {
    expect(printed("{{ root.own | upper }}", data)).to.equal("A");
    expect(printed("{{ LEN(root.own) }}", data)).to.equal("1");
    for (const word of words) {
      expect(printed(`{{ ${word}() }}`, data), word).to.equal(null);
      expect(printed(`{{ root.own | ${word} }}`, data), word).to.equal(null);
      expect(printed(`{{ root.${word}() }}`, data), word).to.equal(null);
    }
  });

  it("even when the data is not plain JSON", () => {
    const odd = Object.create(
      { inherited: "b" },
      {
        hidden: { value: "c", enumerable: false },
        own: { value: "a", enumerable: true },
      },
    );
    const source = "{{ root.own }}{{ root.inherited }}{{ root.hidden }}";
    expect(printed(source, odd)).to.equal("a");
  });
});
