import { expect } from "chai";
import { describe, it } from "mocha";
import { compileTemplate, type Program } from "../../../core/compiler/index.js";
import {
  checkDefinition,
  type TemplateType,
} from "../../../core/definition/index.js";
import { createDefinition } from "../support.js";
import { audit } from "./audit.js";
import {
  markupComponents,
  pageParts,
  plainComponents,
  fillPlaces,
  type Places,
  emailComponents,
  emailParts,
} from "./document-places.js";
import { mergeDocument, Outlines } from "./examine.js";
import { payloads } from "./payloads.js";

/** The program of a definition; null when the checker refuses it. */
function compiled(written: object, type: TemplateType): Program | null {
  const { definition } = checkDefinition(createDefinition(written), type);
  return definition && compileTemplate(definition, type);
}

/** Those components that the checker lets pass with the payload in them, together. */
function withAll(places: Places, payload: string, type: TemplateType) {
  const drawn = fillPlaces(places, payload).filter((component) => {
    const definition = createDefinition([component]);
    return checkDefinition(definition, type).definition !== null;
  });
  return compiled(drawn, type);
}

function toElements(program: Program | null) {
  return program ? mergeDocument(program, { x: "x" }) : [];
}

function getNames(elements: ReturnType<typeof toElements>): string[] {
  return elements.map(({ tagName }) => tagName);
}

const components = {
  document: { plain: plainComponents, markup: markupComponents },
  email: { plain: emailComponents, markup: markupComponents },
};
const parts = { document: pageParts, email: emailParts };

for (const type of ["document", "email"] as const)
  describe(`a malicious definition of the type ${type}`, () => {
    const { plain, markup } = components[type];
    // As an expression, the value is accepted in every place, styles included.
    const outlines = new Outlines((x) =>
      getNames(toElements(withAll(plain, `{{ ${JSON.stringify(x)} }}`, type))),
    );

    for (const [kind, values] of Object.entries(payloads))
      it(`is rejected or drawn as text: ${kind}`, () => {
        for (const payload of values) {
          const elements = toElements(withAll(plain, payload, type));
          expect(audit(elements), payload).to.eql([]);
          expect(outlines.additions(getNames(elements)), payload).to.eql([]);
        }
      });

    for (const [kind, values] of Object.entries(payloads))
      it(`is rejected or drawn as safe markup: ${kind}`, () => {
        for (const payload of values) {
          const programs = [
            withAll(markup, payload, type),
            ...fillPlaces(parts[type], payload).map((one) =>
              compiled(one, type),
            ),
          ];
          for (const program of programs)
            expect(audit(toElements(program)), payload).to.eql([]);
        }
      });
  });
