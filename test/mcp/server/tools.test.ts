import type { Client } from "@modelcontextprotocol/client";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { newCaller, type TestCaller } from "../../support/caller.js";
import { useService } from "../../support/service.js";
import { publish } from "../../support/store.js";
import { getText, toolClient } from "../../support/tool-client.js";

describe("the tool server", () => {
  const service = useService();
  let caller: TestCaller;
  let client: Client;

  before(async () => {
    caller = await newCaller(service);
    client = await toolClient(service, caller);
  });

  it("describes each tool with its title, its arguments and what it does", async () => {
    const { tools } = await client.listTools();
    const tool = tools.find(({ name }) => name === "get_template");
    expect(tool?.title).to.equal("Read a template");
    expect(tool?.annotations?.readOnlyHint).to.equal(true);
    expect(tool?.inputSchema.required).to.deep.equal(["templateId"]);
  });

  it("declares no notices about changed lists, since it sends none", () => {
    const { tools, resources, prompts } = client.getServerCapabilities() ?? {};
    for (const declared of [tools, resources, prompts]) {
      expect(declared).to.be.an("object");
      expect(declared?.listChanged ?? false).to.equal(false);
    }
    expect(resources?.subscribe ?? false).to.equal(false);
  });

  it("needs less than 30,000 characters for its list of tools", async () => {
    expect(JSON.stringify(await client.listTools()).length).to.be.below(30_000);
  });

  it("returns JSON as text and as structured content", async () => {
    const id = await publish(service.store, caller);
    const answer = await client.callTool({
      name: "get_template",
      arguments: { templateId: id },
    });
    expect(answer.structuredContent).to.include({ id, name: "Letter" });
    expect(JSON.parse(getText(answer))).to.deep.equal(answer.structuredContent);
  });

  it("returns only text for a tool without structured content", async () => {
    const answer = await client.callTool({ name: "get_template_ast_guide" });
    expect(getText(answer)).to.match(/^# /);
    expect(answer).not.to.have.property("structuredContent");
  });
});
