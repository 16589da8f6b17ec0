import { expect } from "chai";
import { describe, it } from "mocha";
import { compileTemplate } from "../../../core/compiler/index.js";
import { accepted } from "../support.js";
import { audit, getOutline } from "./audit.js";
import {
  markupComponents,
  plainComponents,
  fillPlaces,
  emailComponents,
  emailParts,
  withVariableColumns,
} from "./document-places.js";
import { mergeDocument, mergeMjml, Outlines, createRecord } from "./examine.js";
import { payloads } from "./payloads.js";

const value = "{{ root.x }}";
const plain = {
  "any component": { components: fillPlaces(emailComponents, value) },
  "an email that is laid out with its data": {
    components: withVariableColumns(fillPlaces(plainComponents, value)),
  },
  ...Object.fromEntries(
    Object.entries(emailParts).map(([name, part]) => [name, part(value)]),
  ),
};

function compiled(definition: object) {
  return compileTemplate(accepted(definition, "email"), "email");
}

describe("malicious data in an email", () => {
  for (const [name, definition] of Object.entries(plain)) {
    const program = compiled(definition);
    const html = (x: string) => mergeDocument(program, createRecord(x));
    const mjml = (x: string) => getOutline(mergeMjml(program, createRecord(x)));
    const ofHtml = new Outlines((x) => getOutline(html(x)));
    const ofMjml = new Outlines(mjml);
    for (const [kind, values] of Object.entries(payloads))
      it(`remains text: ${kind} in ${name}`, () => {
        for (const x of values) {
          const elements = html(x);
          expect(audit(elements), x).to.eql([]);
          expect(ofHtml.additions(getOutline(elements)), x).to.eql([]);
          expect(ofMjml.additions(mjml(x)), x).to.eql([]);
        }
      });
  }
});

describe("malicious data in HTML and Markdown of an email", () => {
  const components = fillPlaces(markupComponents, value);
  const programs = [components, withVariableColumns(components)].map(compiled);
  for (const [kind, values] of Object.entries(payloads))
    it(`becomes only safe markup: ${kind}`, () => {
      for (const x of values)
        for (const program of programs)
          expect(audit(mergeDocument(program, createRecord(x))), x).to.eql([]);
    });
});
