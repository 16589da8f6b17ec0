import { expect } from "chai";
import * as fc from "fast-check";
import { describe, it } from "mocha";
import { PlatenError } from "../../../core/plugin-api/index.js";
import { compileTemplate } from "../../../core/compiler/index.js";
import {
  checkDefinition,
  normalizeDefinition,
  TEMPLATE_TYPES,
  type ProjectData,
  type TemplateType,
} from "../../../core/definition/index.js";
import { audit } from "../security/audit.js";
import { readDocument } from "../security/read-html.js";
import { OPTIONS } from "../support.js";
import { repaired } from "./repaired.js";
import { anyDefinition } from "./schema-arbitrary.js";

const data = { a: 1, list: [{ a: "x", b: 2 }, { a: "<y>" }], group: {} };
const limits = { iterations: 20_000, htmlBytes: 1_000_000 };

/** Compiles and merges an accepted definition; nothing but our own error may come out, and no harm. */
function expectSound(definition: ProjectData, type: TemplateType): void {
  try {
    const program = compileTemplate(normalizeDefinition(definition), type);
    const { html } = program.merge(data, { ...OPTIONS, limits });
    expect(audit(readDocument(html))).to.eql([]);
    program.mjml(data, { ...OPTIONS, limits });
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
  }
}

for (const type of TEMPLATE_TYPES)
  describe(`a random definition of the type ${type}`, () => {
    it("is refused, or compiled and merged", () => {
      const property = fc.property(anyDefinition(), (input) => {
        const { definition, problems } = checkDefinition(input, type);
        expect(problems.length === 0).to.equal(definition !== null);
        if (definition) expectSound(definition, type);
      });
      fc.assert(property, { numRuns: 200 });
    });

    it("is compiled and merged without what the checker points at", () => {
      const property = fc.property(anyDefinition(), (input) => {
        const definition = repaired(input, type);
        expect(definition).not.to.equal(null);
        if (definition) expectSound(definition, type);
      });
      fc.assert(property, { numRuns: 100 });
    });
  });
