import { expect } from "chai";
import { describe, it } from "mocha";
import { PlatenError } from "../../../core/plugin-api/index.js";
import {
  blueprint,
  blueprints,
  parseBlueprint,
} from "../../../core/templates/blueprints/index.js";

describe("the list of blueprints", () => {
  it("has documents before emails, each with a sample record", () => {
    const all = blueprints();
    const types = all.map(({ templateType }) => templateType);
    expect(types).to.deep.equal(types.toSorted());
    for (const { id, name, description, definition } of all) {
      expect(id).to.match(/^[a-z-]+$/);
      expect(name, id).not.to.equal("");
      expect(description, id).not.to.equal("");
      expect(definition.sample, id).to.be.an("object");
    }
  });

  it("contains the blueprints that the gallery lists", () => {
    expect(blueprints().map(({ id }) => id)).to.include.members([
      "invoice",
      "packing-list",
      "certificate",
      "statement",
      "quote",
      "receipt",
      "purchase-order",
      "contract",
      "report",
      "shipping-label",
      "order-confirmation",
      "newsletter",
      "password-reset",
      "german-invoice",
      "french-invoice",
      "credit-note",
      "xrechnung",
    ]);
  });

  it("returns one by its id", () => {
    expect(blueprint("packing-list").name).to.equal("Packing list");
  });

  it("lists the existing ids for an unknown id", () => {
    expect(() => blueprint("invioce"))
      .to.throw(PlatenError, /There is no blueprint "invioce".*invoice/)
      .with.property("code", "not_found");
  });

  it("allows extensions and reports every problem of a definition", () => {
    const { id: _id, ...letter } = blueprint("invoice");
    const components = [{ type: "divider", id: "a", "x-note": 1 }];
    const more = { "x-editor": {}, components };
    const definition = { ...letter.definition, ...more };
    expect(parseBlueprint({ ...letter, definition }).definition).to.include(
      more,
    );
    const broken = { ...definition, components: [{}, {}] };
    expect(() => parseBlueprint({ ...letter, definition: broken }))
      .to.throw(PlatenError)
      .with.property("problems")
      .with.length(2);
  });
});
