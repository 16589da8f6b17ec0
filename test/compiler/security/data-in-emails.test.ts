import { expect } from "chai";
import { describe, it } from "mocha";
import { compileTemplate } from "../../../core/compiler/index.js";
import { accepted } from "../support.js";
import { audit, outlineOf } from "./audit.js";
import {
  markupComponents,
  plainComponents,
  valuesOf,
  emailComponents,
  emailParts,
  withVariableColumns,
} from "./document-places.js";
import { documentOf, mjmlOf, Outlines, recordOf } from "./examine.js";
import { payloads } from "./payloads.js";

const value = "{{ root.x }}";
const plain = {
  "any component": { components: valuesOf(emailComponents, value) },
  "an email that is laid out with its data": {
    components: withVariableColumns(valuesOf(plainComponents, value)),
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
    const html = (x: string) => documentOf(program, recordOf(x));
    const mjml = (x: string) => outlineOf(mjmlOf(program, recordOf(x)));
    const ofHtml = new Outlines((x) => outlineOf(html(x)));
    const ofMjml = new Outlines(mjml);
    for (const [kind, values] of Object.entries(payloads))
      it(`remains text: ${kind} in ${name}`, () => {
        for (const x of values) {
          const elements = html(x);
          expect(audit(elements), x).to.eql([]);
          expect(ofHtml.additions(outlineOf(elements)), x).to.eql([]);
          expect(ofMjml.additions(mjml(x)), x).to.eql([]);
        }
      });
  }
});

describe("malicious data in HTML and Markdown of an email", () => {
  const components = valuesOf(markupComponents, value);
  const programs = [components, withVariableColumns(components)].map(compiled);
  for (const [kind, values] of Object.entries(payloads))
    it(`becomes only safe markup: ${kind}`, () => {
      for (const x of values)
        for (const program of programs)
          expect(audit(documentOf(program, recordOf(x))), x).to.eql([]);
    });
});
