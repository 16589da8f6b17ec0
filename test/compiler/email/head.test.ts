import { expect } from "chai";
import { checkDefinition } from "../../../core/definition/index.js";
import { createDefinition, rule } from "../support.js";
import { renderBothWays, email } from "./emails.js";

describe("the head of an email", () => {
  it("shows a preheader when its condition is true, and only one", () => {
    const condition = rule("root.on", "=", 1);
    const program = email([{ type: "preheader", text: "Soon", condition }]);
    for (const on of [0, 1]) {
      const { merged, compiled } = renderBothWays(program, { on });
      expect(merged.page).to.equal(compiled.page);
      expect(merged.page).not.to.include("mj-column");
      expect(merged.page.includes("Soon")).to.equal(on === 1);
    }
    const two = [1, 2].map((n) => ({ type: "preheader", text: `${n}` }));
    const { warnings } = checkDefinition(createDefinition(two), "email");
    expect(warnings.map(({ path }) => path)).to.eql(["$.components[1]"]);
  });
});
