import { expect } from "chai";
import { Ajv2020 } from "ajv/dist/2020.js";
import { definitionJsonSchema } from "../../../core/template/index.js";
import { definitionOf, rule, text } from "../support.js";

const validate = new Ajv2020({ strict: false }).compile(definitionJsonSchema());

describe("the JSON Schema of a definition", () => {
  it("accepts what the checker accepts, extensions included", () => {
    const definition = definitionOf({
      "x-editor": {},
      components: [
        text("a", { "x-note": 1, condition: rule("root.a", "=", 1) }),
        { type: "container", components: [text("b")] },
      ],
      page: { size: "A5", margin: "10mm", header: [{ type: "page-number" }] },
    });
    expect(validate(definition), JSON.stringify(validate.errors)).to.equal(
      true,
    );
  });

  it("refuses unknown types, properties and values", () => {
    for (const component of [
      { type: "tabel" },
      text("a", { colour: "red" }),
      text("a", { style: { position: "fixed" } }),
    ])
      expect(validate(definitionOf([component]))).to.equal(false);
  });
});
