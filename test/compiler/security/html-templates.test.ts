import { expect } from "chai";
import { describe, it } from "mocha";
import { compileTemplate, type Program } from "../../../core/compiler/index.js";
import {
  checkDefinition,
  type TemplateType,
} from "../../../core/definition/index.js";
import { accepted, createDefinition } from "../support.js";
import { audit, getOutline } from "./audit.js";
import {
  fillPlaces,
  mjmlPlaces,
  templateParts,
  templatePlaces,
} from "./document-places.js";
import { createRecord, mergeDocument, mergeMjml, Outlines } from "./examine.js";
import { payloads } from "./payloads.js";

const value = "{{ root.x }}";

describe("malicious data in an HTML template", () => {
  const definitions = {
    "every context": { components: fillPlaces(templatePlaces, value) },
    ...Object.fromEntries(
      Object.entries(templateParts).map(([name, part]) => [name, part(value)]),
    ),
  };
  for (const [name, definition] of Object.entries(definitions)) {
    const program = compileTemplate(accepted(definition), "document");
    const outlines = new Outlines((x) =>
      withoutClasses(getOutline(mergeDocument(program, createRecord(x)))),
    );
    for (const [kind, values] of Object.entries(payloads))
      it(`remains text: ${kind} in ${name}`, () => {
        for (const x of values) {
          const elements = mergeDocument(program, createRecord(x));
          expect(audit(elements), x).to.eql([]);
          const outline = withoutClasses(getOutline(elements));
          expect(outlines.additions(outline), x).to.eql([]);
        }
      });
  }
});

describe("malicious data in MJML of a template", () => {
  for (const [name, place] of Object.entries(mjmlPlaces)) {
    const program = compileTemplate(
      accepted({ components: [place(value)] }, "email"),
      "email",
    );
    for (const [kind, values] of Object.entries(payloads))
      it(`remains text: ${kind} in ${name}`, () => {
        const outlines = new Outlines((x) =>
          getOutline(mergeMjml(program, createRecord(x))),
        );
        for (const x of values) {
          expect(audit(mergeDocument(program, createRecord(x))), x).to.eql([]);
          const outline = getOutline(mergeMjml(program, createRecord(x)));
          expect(outlines.additions(outline), x).to.eql([]);
        }
      });
  }
});

/** The classes of one element are data here. */
function withoutClasses(outline: readonly string[]): string[] {
  return outline.map((one) => one.replace(/^(<[^>]*>) \.[^]* \{/, "$1 {"));
}

describe("a malicious HTML template", () => {
  const sources: Readonly<Record<string, (payload: string) => object>> = {
    "its HTML": (payload) => ({ html: payload }),
    "an element": (payload) => ({ html: `<div>${payload}</div>` }),
    "an attribute": (payload) => ({ html: `<p title="${payload}">a</p>` }),
    "a link": (payload) => ({ html: `<a href="${payload}">a</a>` }),
    "an image": (payload) => ({ html: `<img src="${payload}" alt="a">` }),
    "a style": (payload) => ({ html: `<p style="color: ${payload}">a</p>` }),
    "a declaration": (payload) => ({ html: `<p style="${payload}">a</p>` }),
    "an SVG": (payload) => ({
      html: `<svg><g fill="${payload}">${payload}</g></svg>`,
    }),
    "a style element": (payload) => ({
      html: `<style>${payload}</style><p>a</p>`,
    }),
    "its style sheet": (payload) => ({ html: "<p>a</p>", css: payload }),
    "a value of its style sheet": (payload) => ({
      html: "<p>a</p>",
      css: `p { color: ${payload} }`,
    }),
    "a header": (payload) => ({
      html: `<header data-page>${payload}</header><p>a</p>`,
    }),
    "a directive": (payload) => ({
      html: `<p data-each="${payload}">a</p>`,
    }),
    "a condition": (payload) => ({ html: `<p data-if='${payload}'>a</p>` }),
  };
  for (const [name, write] of Object.entries(sources))
    for (const [kind, values] of Object.entries(payloads))
      it(`is refused or harmless with ${kind} as ${name}`, () => {
        for (const payload of values) {
          const program = compileIfAccepted(write(payload), "document");
          const faults = program
            ? audit(mergeDocument(program, { x: "x" }))
            : [];
          expect(faults.filter(isHarm), payload).to.eql([]);
        }
      });

  for (const [kind, values] of Object.entries(payloads))
    it(`is refused or harmless in MJML with ${kind}`, () => {
      for (const payload of values)
        for (const mjml of [
          payload,
          `<mj-text>${payload}</mj-text>`,
          `<mj-section css-class="${payload}"><mj-column></mj-column></mj-section>`,
          `<mj-image src="${payload}" href="${payload}" />`,
        ]) {
          const program = compileIfAccepted({ mjml }, "email");
          const faults = program
            ? audit(mergeDocument(program, { x: "x" }))
            : [];
          expect(faults, mjml).to.eql([]);
        }
    });
});

/** Templates may use CSS that no component uses. */
function isHarm(fault: string): boolean {
  return !/^(?:.*: )?(?:[\w-]+\(\)|@(?:keyframes|font-face|supports|container))$/.test(
    fault,
  );
}

function compileIfAccepted(markup: object, type: TemplateType): Program | null {
  const written = createDefinition([{ type: "markup", ...markup }]);
  const { definition } = checkDefinition(written, type);
  return definition && compileTemplate(definition, type);
}
