import { expect } from "chai";
import { describe, it } from "mocha";
import { blueprints } from "../../../core/templates/blueprints/index.js";
import { compileTemplate } from "../../../core/compiler/index.js";
import { renderBothWays } from "./emails.js";

describe("merging an example email after compiling MJML or before it gives the same html", () => {
  for (const { id, templateType, definition } of blueprints())
    if (templateType === "email")
      for (const [about, data] of [
        ["its sample", definition.sample],
        ["nothing", {}],
      ] as const)
        it(`for ${id} with ${about}`, () => {
          const program = compileTemplate(definition, templateType);
          const { merged, compiled } = renderBothWays(program, Object(data));
          expect(merged.page).to.equal(compiled.page);
          expect(merged.styles).to.include.members(compiled.styles);
        });
});
