import { expect } from "chai";
import { fc } from "../../support/properties.js";
import { describe, it } from "mocha";
import sharp from "sharp";
import { compileTemplate } from "../../../core/compiler/index.js";
import { type TemplateType } from "../../../core/definition/index.js";
import { audit, getOutline } from "../security/audit.js";
import {
  markupComponents,
  plainComponents,
  fillPlaces,
  emailComponents,
} from "../security/document-places.js";
import { mergeDocument, Outlines, createRecord } from "../security/examine.js";
import { accepted } from "../support.js";

const value = "{{ root.x }}";

/** Texts made of what means something in HTML, CSS, URLs and Markdown. */
const pieces =
  "< > </ /> <!-- --> <![CDATA[ ]]> & &lt; &#x3c; \" ' ` = ; : { } {{ }} {% %} ( ) url( \\ / // # [ ] ![ ](";
const words =
  "a b p div style script svg math title table onerror href src javascript data image/svg+xml , expression 1px red \n \t \u0000 \u2028 é 漢";
const hostile = fc
  .array(fc.constantFrom(...`${pieces} ${words}`.split(" ")), { maxLength: 30 })
  .map((list) => list.join(""));
const anyText = fc.oneof(
  hostile,
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
);

function compiled(components: object[], type: TemplateType) {
  return compileTemplate(accepted(components, type), type);
}

describe("any text in the data", () => {
  for (const [type, places, numRuns] of [
    ["document", plainComponents, 150],
    ["email", emailComponents, 60],
  ] as const)
    it(`adds no element, attribute or style to a template of type ${type}`, () => {
      const program = compiled(fillPlaces(places, value), type);
      const elements = (x: string) => mergeDocument(program, createRecord(x));
      const outlines = new Outlines((x) => getOutline(elements(x)));
      const property = fc.property(anyText, (x) => {
        const drawn = elements(x);
        expect(outlines.additions(getOutline(drawn))).to.eql([]);
        expect(audit(drawn)).to.eql([]);
      });
      fc.assert(property, { numRuns });
    });

  it("becomes only safe markup in HTML and Markdown", () => {
    const program = compiled(fillPlaces(markupComponents, value), "document");
    const property = fc.property(anyText, (x) => {
      expect(audit(mergeDocument(program, createRecord(x)))).to.eql([]);
    });
    fc.assert(property, { numRuns: 300 });
  });

  it("becomes markup that is also well-formed XML, as a header requires", async () => {
    const program = compiled(fillPlaces(markupComponents, value), "document");
    const property = fc.asyncProperty(anyText, async (x) => {
      const { html } = program.merge(
        { x },
        { isTest: false, now: new Date(0) },
      );
      const body = /<main>([^]*)<\/main>/.exec(html)?.[1] ?? "";
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><g>${body}</g></svg>`;
      await sharp(Buffer.from(svg)).metadata();
    });
    await fc.assert(property, { numRuns: 150 });
  });
});
