import { expect } from "chai";
import { describe, it } from "mocha";
import { compileTemplate } from "../../../core/compiler/index.js";
import { accepted } from "../support.js";
import { audit, getOutline } from "./audit.js";
import {
  markupComponents,
  pageParts,
  plainComponents,
  fillPlaces,
} from "./document-places.js";
import { mergeDocument, Outlines, createRecord } from "./examine.js";
import { payloads } from "./payloads.js";

const value = "{{ root.x }}";
const plain = {
  "any component": { components: fillPlaces(plainComponents, value) },
  ...Object.fromEntries(
    Object.entries(pageParts).map(([name, part]) => [name, part(value)]),
  ),
};

describe("malicious data in a document", () => {
  for (const [name, definition] of Object.entries(plain)) {
    const program = compileTemplate(accepted(definition), "document");
    const outlines = new Outlines((x) =>
      getOutline(mergeDocument(program, createRecord(x))),
    );
    for (const [kind, values] of Object.entries(payloads))
      it(`remains text: ${kind} in ${name}`, () => {
        for (const x of values) {
          const elements = mergeDocument(program, createRecord(x));
          expect(audit(elements), x).to.eql([]);
          expect(outlines.additions(getOutline(elements)), x).to.eql([]);
        }
      });
  }
});

describe("malicious data in HTML and Markdown", () => {
  const components = fillPlaces(markupComponents, value);
  const program = compileTemplate(accepted(components), "document");
  for (const [kind, values] of Object.entries(payloads))
    it(`becomes only safe markup: ${kind}`, () => {
      for (const x of values)
        expect(audit(mergeDocument(program, createRecord(x))), x).to.eql([]);
    });
});
