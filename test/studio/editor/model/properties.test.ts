import { expect } from "chai";
import { describe, it } from "mocha";
import { z } from "zod";
import { definitionJsonSchema } from "../../../../core/definition/index.js";
import { getControls } from "../../../../plugins/studio/app/src/editor/inspector/content-controls.js";
import {
  getBorder,
  getSides,
  withBorder,
  withSides,
} from "../../../../plugins/studio/app/src/editor/inspector/style-properties.js";
import { COMPONENT_TYPES } from "../../../../plugins/studio/app/src/editor/model/catalog.js";

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

const line = { width: "0.5pt", line: "solid", color: "#ccc" };

describe("the border of a style", () => {
  it("is parsed in every notation", () => {
    const written = { border: "0.5pt solid #ccc" };
    expect(getBorder(written, "all")).to.deep.equal(line);
    expect(getBorder(written, "top")).to.deep.equal(line);
    expect(getBorder({ "border-top": "thin rgb(0 0 0 / 5%) dashed" }, "top"))
      .to.include({ width: "thin", line: "dashed" })
      .and.include({ color: "rgb(0 0 0 / 5%)" });
    const apart = { "border-width": "2px", "border-style": "dotted" };
    expect(getBorder(apart, "all")).to.deep.equal({
      width: "2px",
      line: "dotted",
    });
    expect(getBorder({ border: "none" }, "all")).to.equal(null);
    expect(getBorder({ ...written, "border-top": "none" }, "top")).to.equal(
      null,
    );
  });

  it("is written back as it was set, without changing other properties", () => {
    const style = { color: "red", "border-radius": "2pt", border: "0" };
    const top = withBorder(style, "top", line);
    expect(top).to.deep.equal({ ...style, "border-top": "0.5pt solid #ccc" });
    expect(getBorder(top, "top")).to.deep.equal(line);
    const all = withBorder(top, "all", line);
    expect(all).to.deep.equal({
      color: "red",
      "border-radius": "2pt",
      border: "0.5pt solid #ccc",
    });
    expect(withBorder(all, "all", null)).to.not.have.property("border");
  });
});

describe("the padding and margin of a style", () => {
  it("are parsed from one to four lengths and from single sides", () => {
    expect(getSides({}, "padding")).to.equal(undefined);
    expect(getSides({ padding: "4pt" }, "padding")).to.equal("4pt");
    expect(getSides({ padding: "1pt 2pt 3pt" }, "padding")).to.deep.equal({
      top: "1pt",
      right: "2pt",
      bottom: "3pt",
      left: "2pt",
    });
    const mixed = { margin: "1pt", "margin-left": "0" };
    expect(getSides(mixed, "margin")).to.include({ top: "1pt", left: "0" });
  });

  it("are written back as they were set", () => {
    const style = { margin: "1pt 2pt", "margin-left": "0", color: "red" };
    const apart = { top: "3pt", left: "4pt" };
    const set = withSides(style, "margin", apart);
    expect(set).to.deep.equal({
      color: "red",
      "margin-top": "3pt",
      "margin-left": "4pt",
    });
    expect(getSides(set, "margin")).to.deep.equal(apart);
    expect(withSides(set, "margin", undefined)).to.deep.equal({ color: "red" });
  });
});
