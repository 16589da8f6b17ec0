import { expect } from "chai";
import { describe, it } from "mocha";
import { SCOPES } from "../../../core/accounts/index.js";
import { newCaller } from "../../support/caller.js";
import { useService } from "../../support/service.js";
import { toolClient } from "../../support/tool-client.js";

describe("a key's scopes at the tool server", () => {
  const service = useService();
  const clientWith = async (scopes: readonly string[]) =>
    toolClient(service, await newCaller(service, scopes));

  it("decide which tools, resources and prompts are listed", async () => {
    const client = await clientWith(["templates:read"]);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).to.include("get_template");
    expect(names).not.to.include("delete_template");
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ name }) => name)).to.deep.equal([
      "template",
      "template-thumbnail",
    ]);
    expect((await client.listPrompts()).prompts).to.deep.equal([]);
  });

  it("are checked again at the call, and the error names the missing one", async () => {
    const client = await clientWith(["documents:read"]);
    const name = "get_template";
    const answer = await client.callTool({
      name,
      arguments: { templateId: "a" },
    });
    expect(answer.isError).to.equal(true);
    expect(JSON.stringify(answer.content)).to.contain("scope templates:read");
  });

  it("hide nothing when they are complete", async () => {
    const client = await clientWith(SCOPES);
    expect((await client.listPrompts()).prompts).to.have.length(3);
    expect((await client.listTools()).tools).to.have.length.above(10);
  });

  it("are checked for resources and prompts as well", async () => {
    const client = await clientWith(["documents:read"]);
    const uri = "platen://guide/ast";
    const read = await client.readResource({ uri }).catch(String);
    expect(read).to.contain("scope templates:read");
    const prompt = await client
      .getPrompt({ name: "design_invoice" })
      .catch(String);
    expect(prompt).to.contain("scope templates:write");
  });
});
