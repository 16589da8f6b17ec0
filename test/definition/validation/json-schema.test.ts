import { expect } from "chai";
import { Ajv2020 } from "ajv/dist/2020.js";
import { blueprints } from "../../../core/templates/blueprints/index.js";
import {
  checkDefinition,
  definitionJsonSchema,
} from "../../../core/definition/index.js";
import { FORMS } from "./forms.js";

const ID = "https://platen.example/schemas/definition-v1.json";
const schema = definitionJsonSchema(ID);
const validate = new Ajv2020({ strict: true, strictRequired: false }).compile(
  schema,
);

function validated(definition: unknown): boolean {
  return validate(structuredClone(definition));
}

describe("the JSON Schema of a definition", () => {
  it("says where it is, and describes all that it names", () => {
    expect(schema.$id).to.equal(ID);
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
      expect(validated(definition), id).to.equal(true);
  });

  for (const [name, definition] of FORMS.accepted)
    it(`accepts, as the checker does: ${name}`, () => {
      const { problems } = checkDefinition(definition, "document");
      expect(problems).to.eql([]);
      expect(validated(definition)).to.equal(true);
    });

  for (const [name, definition] of FORMS.refused)
    it(`refuses, as the checker does: ${name}`, () => {
      const { problems } = checkDefinition(definition, "document");
      expect(problems).to.have.length(1);
      expect(validated(definition)).to.equal(false);
    });
});
