import { expect } from "chai";
import { compileTemplate } from "../../../core/compiler/index.js";
import {
  checkDefinition,
  definitionJsonSchema,
  TEMPLATE_TYPES,
} from "../../../core/definition/index.js";
import { OPTIONS } from "../support.js";
import { getObjects, specimen } from "./specimens.js";

/** Names of properties below a JSON Schema, but for the hundred of CSS and the terms of e-invoices. */
function propertiesIn(schema: object): string[] {
  return getObjects(schema).flatMap(([place, one]) =>
    place.at(-1) === "properties" &&
    !("font-size" in one) &&
    !("invoiceNumber" in one) &&
    !("each" in one)
      ? Object.keys(one)
      : [],
  );
}

const schema = definitionJsonSchema();
const objects = TEMPLATE_TYPES.flatMap((type) =>
  getObjects(specimen(type)).map(([, object]) => object),
);

describe("the specimen definitions", () => {
  for (const type of TEMPLATE_TYPES)
    it(`are accepted without a warning and merged with their sample: ${type}`, () => {
      const checked = checkDefinition(specimen(type), type);
      expect(checked.problems).to.eql([]);
      expect(checked.warnings).to.eql([]);
      if (checked.definition === null) return;
      const { report } = compileTemplate(checked.definition, type).merge(
        checked.definition.sample,
        OPTIONS,
      );
      expect(report.missing).to.eql([]);
    });

  it("use every property", () => {
    const used = new Set(objects.flatMap((object) => Object.keys(object)));
    const known = propertiesIn(schema).filter((name) => name !== "properties");
    expect(known).to.include("keepTogether");
    expect(known.filter((name) => !used.has(name))).to.eql([]);
  });

  it("use every component", () => {
    const used = objects.map((object) => "type" in object && object.type);
    const types = Object.entries(schema.$defs ?? {})
      .filter(([name]) => name.endsWith("Component"))
      .flatMap(([, { title }]) => title ?? []);
    expect(types).to.have.length.above(20);
    // The components of a partial replace it before a definition is compiled.
    for (const type of types)
      if (type !== "partial") expect(used).to.include(type);
  });
});
