import { fc } from "../../support/properties.js";
import { expect } from "chai";
import { compileTemplate } from "../../../core/compiler/index.js";
import { accepted, OPTIONS, text } from "../support.js";

const program = compileTemplate(
  accepted([text("{{ root.a }}", { style: { color: "{{ root.a }}" } })]),
  "document",
);

describe("escaping", () => {
  it("keeps data from becoming an element or ending an attribute, for any string", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (a) => {
        const { html } = program.merge({ a }, OPTIONS);
        const body = /<main>([^]*)<\/main>/.exec(html)?.[1] ?? "";
        expect(body).to.match(/^<p style="color:[^"<>]*">[^<>]*<\/p>$/);
      }),
    );
  });
});
