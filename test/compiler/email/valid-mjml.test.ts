import { expect } from "chai";
import mjml2html from "mjml";
import { describe, it } from "mocha";
import { blueprints } from "../../../core/templates/blueprints/index.js";
import { compileTemplate } from "../../../core/compiler/index.js";
import { OPTIONS } from "../support.js";

describe("the MJML of an example", () => {
  for (const { id, templateType, definition } of blueprints())
    it(`is valid and contains no markers of its conditions: ${id}`, async () => {
      const program = compileTemplate(definition, templateType);
      const { mjml } = program.mjml(Object(definition.sample), OPTIONS);
      const { errors } = await mjml2html(mjml, { validationLevel: "soft" });
      expect(errors.map((error) => error.formattedMessage)).to.deep.equal([]);
      expect(mjml).not.to.match(/<mj-raw>|\{%|\{\{/);
    });
});
