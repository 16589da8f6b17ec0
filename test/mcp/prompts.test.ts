import { expect } from "chai";
import { useTools } from "../support/tool-client.js";

describe("the tool server's prompts", () => {
  const { caller, client } = useTools();

  it("name only existing tools", async () => {
    const { tools } = await client().listTools();
    const names = tools.map(({ name }) => name);
    for (const name of ["design_invoice", "design_email"]) {
      const { messages } = await client().getPrompt({ name });
      const text = JSON.stringify(messages);
      const named = text.match(/\b[a-z]+_[a-z]+(?:_[a-z]+)*\b/g) ?? [];
      expect(named.length).to.be.above(4);
      expect(names).to.include.members(named);
    }
  });

  it("name formats that render_document takes, one kind for documents and one for emails", async () => {
    const templateId = await caller().publish();
    const emailId = await caller().publish({
      templateType: "email",
      definition: { schema: [], components: [], email: { subject: "Hello" } },
    });
    const prompts = [
      { name: "design_invoice", made: templateId, expected: ["pdf"] },
      { name: "design_email", made: emailId, expected: ["html"] },
      { name: "fix_template", made: templateId, expected: ["pdf"] },
      { name: "fix_template", made: emailId, expected: ["html"] },
    ];
    for (const { name, made, expected } of prompts) {
      const args = name === "fix_template" ? { templateId: made } : {};
      const { messages } = await client().getPrompt({ name, arguments: args });
      const [first] = messages;
      const text = first?.content.type === "text" ? first.content.text : "";
      const named = [...text.matchAll(/formats (\[.*?\])/g)].map(
        ([, list = ""]): unknown => JSON.parse(list),
      );
      expect(named).to.deep.equal([expected]);
      const rendered = await client().callTool({
        name: "render_document",
        arguments: { templateId: made, formats: expected, isTest: true },
      });
      expect(rendered.isError).not.to.equal(true);
    }
  });
});
