import { expect } from "chai";
import { before, describe, it } from "mocha";
import { newCaller, type TestCaller } from "../../support/caller.js";
import { useService } from "../../support/service.js";
import { publish } from "../../support/store.js";
import { officialClients } from "../../support/tool-client.js";

describe("the official clients", () => {
  const service = useService();
  let caller: TestCaller;
  let templateId: string;

  before(async () => {
    caller = await newCaller(service);
    templateId = await publish(service.store, caller);
  });

  for (const [name, connect] of officialClients)
    it(`${name} lists tools and calls one`, async () => {
      const authorization = `Bearer ${caller.key}`;
      const client = await connect(service.url, {
        headers: { authorization },
      });
      const { tools } = await client.listTools();
      expect(tools.map((tool) => tool.name)).to.include("get_template");
      const answer = await client.callTool({
        name: "get_template",
        arguments: { templateId },
      });
      expect(answer["structuredContent"]).to.include({ id: templateId });
      await client.close();
    });
});
