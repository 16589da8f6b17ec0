import { expect } from "chai";
import { compileTemplate } from "../../../core/compiler/index.js";
import { checkDefinition } from "../../../core/definition/index.js";
import {
  accepted,
  createDefinition,
  mergedEmail,
  OPTIONS,
  rule,
  text,
} from "../support.js";
import { renderBothWays, email } from "./emails.js";

const setup = {
  subject: "Order {{ root.n }}",
  preheader: "Thanks, {{ root.name }}",
};

describe("the head of an email", () => {
  it("has the subject as its title and the preheader hidden at the top", () => {
    const { html, title, fileName } = mergedEmail(
      { email: setup },
      { n: "<7>", name: "A" },
    );
    expect(title).to.equal("Order <7>");
    expect(fileName).to.equal("Order -7");
    expect(html).to.include("<title>Order &lt;7&gt;</title>");
    expect(html).to.match(/display:none[^>]*>\s*Thanks, A\s*</);
  });

  it("accepts the preheader from a component as well", () => {
    const written = [{ type: "preheader", text: "Soon" }, text("a")];
    expect(mergedEmail(written).html).to.match(/display:none[^>]*>\s*Soon\s*</);
  });

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

  it("has the email's width, background and language", () => {
    const { html } = mergedEmail({
      email: { subject: "", width: 520, background: "#eee" },
      components: [text("a")],
      locale: "ar-EG",
    });
    expect(html).to.include('lang="ar-EG" dir="rtl"');
    expect(html)
      .to.include("max-width:520px")
      .and.to.include("background-color:#eee");
  });

  it("says TEST on a test in every format", () => {
    const program = compileTemplate(accepted([text("a")], "email"), "email");
    const options = { ...OPTIONS, isTest: true };
    expect(program.mjml({}, options).mjml).to.include(">TEST</mj-text>");
    const { html } = program.merge({}, options);
    expect(html)
      .to.include('class="watermark"')
      .and.to.match(/>TEST<\/div>/);
    expect(program.merge({}, OPTIONS).html).not.to.include("TEST");
  });
});
