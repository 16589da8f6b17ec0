import { expect } from "chai";
import { describe, it } from "mocha";
import { blueprints } from "../../../core/templates/blueprints/index.js";
import { checkDefinition } from "../../../core/definition/index.js";

describe("every blueprint", () => {
  for (const { id, definition, templateType } of blueprints())
    it(`${id} is valid without a warning`, () => {
      const { problems, warnings } = checkDefinition(definition, templateType);
      expect(problems).to.deep.equal([]);
      expect(warnings).to.deep.equal([]);
    });
});
