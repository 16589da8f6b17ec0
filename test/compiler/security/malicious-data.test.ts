import { expect } from "chai";
import sharp from "sharp";
import type { TemplateType } from "../../../core/definition/index.js";
import { fc } from "../../support/properties.js";
import { audit } from "./audit.js";
import {
  emailComponents,
  emailParts,
  fillPlace,
  fillPlaces,
  markupComponents,
  mjmlPlaces,
  pageParts,
  type Places,
  plainComponents,
  templateParts,
  templatePlaces,
  withVariableColumns,
} from "./document-places.js";
import {
  compile,
  compileAudit,
  createRecord,
  mergeDocument,
} from "./examine.js";
import { payloads } from "./payloads.js";

const value = "{{ root.x }}";
const plain = fillPlaces(plainComponents, value);
const markup = fillPlaces(markupComponents, value);
const strings = Object.values(payloads).flat();

/** Texts made of what means something in HTML, CSS, URLs and Markdown. */
const pieces =
  "< > </ /> <!-- --> <![CDATA[ ]]> & &lt; &#x3c; \" ' ` = ; : { } {{ }} {% %} ( ) url( \\ / // # [ ] ![ ](";
const words =
  "a b p div style script svg math title table onerror href src javascript data image/svg+xml , expression 1px red \n \t \u0000 \u2028 é 漢";
const anyText = fc.oneof(
  fc
    .array(fc.constantFrom(...`${pieces} ${words}`.split(" ")), {
      maxLength: 30,
    })
    .map((list) => list.join("")),
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
);

function eachPart(
  name: string,
  type: TemplateType,
  parts: Places,
): [string, TemplateType, object][] {
  return Object.entries(parts).map(([part, place]) => [
    `${name}: ${part}`,
    type,
    fillPlace(place, value),
  ]);
}

const templates: [string, TemplateType, object][] = [
  ["the components of a document", "document", plain],
  ["HTML templates", "document", fillPlaces(templatePlaces, value)],
  ...eachPart("HTML templates", "document", templateParts),
  ...eachPart("a document", "document", pageParts),
  ["the components of an email", "email", fillPlaces(emailComponents, value)],
  ["an email that its data lays out", "email", withVariableColumns(plain)],
  ...eachPart("an email", "email", emailParts),
  ...Object.entries(mjmlPlaces).map(([name, place]): (typeof templates)[0] => [
    name,
    "email",
    [fillPlace(place, value)],
  ]),
];

describe("malicious data", () => {
  for (const [name, type, written] of templates)
    it(`is shown as text in ${name}`, () => {
      const findFaults = compileAudit(written, type);
      for (const x of strings) expect(findFaults(x), x).to.eql([]);
    });

  for (const [name, type, written] of [
    ["a document", "document", markup],
    ["an email", "email", markup],
    ["an email that its data lays out", "email", withVariableColumns(markup)],
  ] as const)
    it(`becomes only safe markup in HTML and Markdown of ${name}`, () => {
      const program = compile(written, type);
      for (const x of strings)
        expect(audit(mergeDocument(program, createRecord(x))), x).to.eql([]);
    });
});

describe("any text in the data", () => {
  for (const [type, places, numRuns] of [
    ["document", plainComponents, 150],
    ["email", emailComponents, 60],
  ] as const)
    it(`adds no element, attribute or style to a template of type ${type}`, () => {
      const findFaults = compileAudit(fillPlaces(places, value), type);
      const property = fc.property(anyText, (x) => {
        expect(findFaults(x)).to.eql([]);
      });
      fc.assert(property, { numRuns });
    });

  it("becomes only safe markup in HTML and Markdown", () => {
    const program = compile(markup, "document");
    const property = fc.property(anyText, (x) => {
      expect(audit(mergeDocument(program, createRecord(x)))).to.eql([]);
    });
    fc.assert(property, { numRuns: 300 });
  });

  it("becomes markup that is also well-formed XML, as a header requires", async () => {
    const program = compile(markup, "document");
    const property = fc.asyncProperty(anyText, async (x) => {
      const { html } = program.merge(
        { x },
        { isTest: false, now: new Date(0) },
      );
      const body = /<main>([^]*)<\/main>/.exec(html)?.[1] ?? "";
      expect(body).not.to.equal("");
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><g>${body}</g></svg>`;
      await sharp(Buffer.from(svg)).metadata();
    });
    await fc.assert(property, { numRuns: 150 });
  });
});
