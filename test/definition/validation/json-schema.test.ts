import { expect } from "chai";
import { definitionJsonSchema } from "../../../core/definition/index.js";
import { blueprints } from "../../../core/templates/blueprints/index.js";
import { fitsSchema } from "../recorded.js";

describe("the JSON Schema of a definition", () => {
  it("has an id and describes everything that it names", () => {
    const id = "https://platen.example/schemas/definition-v1.json";
    const schema = definitionJsonSchema(id);
    expect(schema.$id).to.equal(id);
    const parts = { ...schema.$defs, ...schema.properties };
    const named = Object.entries(parts).filter(
      ([name]) => !name.startsWith("__"),
    );
    expect(named).to.have.length.above(20);
    for (const [name, part] of named)
      expect(part, name).to.have.any.keys("description", "$ref");
  });

  it("accepts all blueprints", () => {
    for (const { id, definition } of blueprints())
      expect(fitsSchema(definition), id).to.equal(true);
  });
});
