import { expect } from "chai";
import mjml2html from "mjml";
import { describe, it } from "mocha";
import { blueprints } from "../../../core/templates/blueprints/index.js";
import { compileTemplate } from "../../../core/compiler/index.js";
import { OPTIONS } from "../support.js";
import { renderBothWays } from "./emails.js";

for (const { id, templateType, definition } of blueprints())
  describe(`the email of an example: ${id}`, () => {
    it("has valid MJML without markers of its conditions", async () => {
      const program = compileTemplate(definition, templateType);
      const { mjml } = program.mjml(Object(definition.sample), OPTIONS);
      const { errors } = await mjml2html(mjml, { validationLevel: "soft" });
      expect(errors.map((error) => error.formattedMessage)).to.deep.equal([]);
      expect(mjml).not.to.match(/<mj-raw>|\{%|\{\{/);
    });

    if (templateType === "email")
      it("is the same whether it is merged after compiling MJML or before it", () => {
        const program = compileTemplate(definition, templateType);
        for (const data of [definition.sample, {}]) {
          const { merged, compiled } = renderBothWays(program, Object(data));
          expect(merged.page).to.equal(compiled.page);
          expect(merged.styles).to.include.members(compiled.styles);
        }
      });
  });
