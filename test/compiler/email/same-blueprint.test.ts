import { expect } from "chai";
import { describe, it } from "mocha";
import { blueprints } from "../../../core/templates/blueprints/index.js";
import { compileTemplate } from "../../../core/compiler/index.js";
import { bothWays } from "./emails.js";

describe("an example email is the same, merged after MJML or before it:", () => {
  for (const { id, templateType, definition } of blueprints())
    if (templateType === "email")
      for (const [about, data] of [
        ["its sample", definition.sample],
        ["nothing", {}],
      ] as const)
        it(`${id} with ${about}`, () => {
          const program = compileTemplate(definition, templateType);
          const { merged, compiled } = bothWays(program, Object(data));
          expect(merged.page).to.equal(compiled.page);
          expect(merged.styles).to.include.members(compiled.styles);
        });
});
