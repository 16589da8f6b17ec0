import { expect } from "chai";
import { describe, it } from "mocha";
import { compileTemplate } from "../../../core/compiler/index.js";
import { accepted } from "../support.js";
import { audit, outlineOf } from "./audit.js";
import {
  markupComponents,
  pageParts,
  plainComponents,
  valuesOf,
} from "./document-places.js";
import { documentOf, Outlines, recordOf } from "./examine.js";
import { payloads } from "./payloads.js";

const value = "{{ root.x }}";
const plain = {
  "any component": { components: valuesOf(plainComponents, value) },
  ...Object.fromEntries(
    Object.entries(pageParts).map(([name, part]) => [name, part(value)]),
  ),
};

describe("malicious data in a document", () => {
  for (const [name, definition] of Object.entries(plain)) {
    const program = compileTemplate(accepted(definition), "document");
    const outlines = new Outlines((x) =>
      outlineOf(documentOf(program, recordOf(x))),
    );
    for (const [kind, values] of Object.entries(payloads))
      it(`remains text: ${kind} in ${name}`, () => {
        for (const x of values) {
          const elements = documentOf(program, recordOf(x));
          expect(audit(elements), x).to.eql([]);
          expect(outlines.additions(outlineOf(elements)), x).to.eql([]);
        }
      });
  }
});

describe("malicious data in HTML and Markdown", () => {
  const components = valuesOf(markupComponents, value);
  const program = compileTemplate(accepted(components), "document");
  for (const [kind, values] of Object.entries(payloads))
    it(`becomes only safe markup: ${kind}`, () => {
      for (const x of values)
        expect(audit(documentOf(program, recordOf(x))), x).to.eql([]);
    });
});
