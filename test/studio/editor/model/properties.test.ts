import { expect } from "chai";
import { z } from "zod";
import { definitionJsonSchema } from "../../../../core/definition/index.js";
import { getControls } from "../../../../studio/src/editor/inspector/content-controls.js";
import { COMPONENT_TYPES } from "../../../../studio/src/editor/model/catalog.js";

/** What every component has: its looks and rules, which have panels of their own, and the parts in it. */
const common =
  "type id class style condition collection keepTogether components".split(" ");

const shape = z.object({
  required: z.array(z.string()),
  properties: z.intersection(
    z.record(z.string(), z.unknown()),
    z.object({ type: z.object({ const: z.string() }) }),
  ),
});

/** The types of components with their own properties, by the published JSON Schema. */
function ownProperties(): Map<string, { all: string[]; required: string[] }> {
  const components = Object.entries(definitionJsonSchema().$defs ?? {})
    .filter(([name]) => name.endsWith("Component"))
    .map(([, schema]) => schema)
    .filter(({ oneOf }) => oneOf === undefined)
    .map((schema) => shape.parse(schema));
  return new Map(
    components.map(({ properties, required }) => [
      properties.type.const,
      {
        all: Object.keys(properties).filter((one) => !common.includes(one)),
        required: required.filter((one) => !common.includes(one)),
      },
    ]),
  );
}

describe("the properties panel", () => {
  const types = ownProperties();

  it("supports every type of component", () => {
    expect([...COMPONENT_TYPES].toSorted()).to.deep.equal(
      [...types.keys()].toSorted(),
    );
  });

  // A block's properties have a panel of their own.
  for (const type of COMPONENT_TYPES.filter((one) => one !== "partial"))
    it(`has a field for every property of: ${type}`, () => {
      const fields = getControls(type).map(({ property }) => property);
      const { all = [] } = types.get(type) ?? {};
      expect(fields.toSorted()).to.deep.equal(all.toSorted());
    });

  it("does not remove required properties", () => {
    for (const type of COMPONENT_TYPES)
      for (const control of getControls(type)) {
        const { required = [] } = types.get(type) ?? {};
        const canVanish =
          ["text", "template", "long-template", "image", "size"].includes(
            control.kind,
          ) && control.isRequired !== true;
        const isRequired = required.includes(control.property);
        expect(isRequired && canVanish, `${type}.${control.property}`).to.equal(
          false,
        );
      }
  });
});
