import type { Client } from "@modelcontextprotocol/client";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { newCaller, type TestCaller } from "../../support/caller.js";
import { useService } from "../../support/service.js";
import { publish } from "../../support/store.js";
import { toolClient } from "../../support/tool-client.js";

describe("the list of resources", () => {
  const service = useService();
  let caller: TestCaller;
  let client: Client;
  const ids: string[] = [];

  before(async () => {
    caller = await newCaller(service);
    client = await toolClient(service, caller);
    for (let count = 0; count < 51; count += 1)
      ids.push(await publish(service.store, caller, { name: `No ${count}` }));
  });

  const page = async (params: { cursor?: string }) => {
    const { resources, nextCursor } = await client.request({
      method: "resources/list",
      params,
    });
    return { resources, nextCursor };
  };

  it("starts with the guide, followed by templates sorted by name, in pages", async () => {
    const first = await page({});
    expect(first.resources[0]?.uri).to.equal("platen://guide/ast");
    expect(first.resources).to.have.length(51);
    const second = await page({ cursor: first.nextCursor ?? "" });
    expect(second.resources).to.have.length(1);
    expect(second.nextCursor).to.equal(undefined);
    const uris = [...first.resources, ...second.resources].map((r) => r.uri);
    expect(uris).to.include.members(
      ids.map((id) => `platen://templates/${id}`),
    );
    expect(first.resources[1]?.title).to.match(/^No \d+$/);
  });

  it("rejects an invalid cursor", async () => {
    const rejected = client.listResources({ cursor: "x:1" }).catch(String);
    expect(await rejected).to.contain("cursor");
  });

  it("completes ids by their beginning and by a template's name", async () => {
    const [id = ""] = ids;
    const ref = {
      type: "ref/resource",
      uri: "platen://templates/{id}",
    } as const;
    const byId = await client.complete({
      ref,
      argument: { name: "id", value: id },
    });
    expect(byId.completion.values).to.deep.equal([id]);
    const byName = await client.complete({
      ref,
      argument: { name: "id", value: "No 50" },
    });
    expect(byName.completion.values).to.deep.equal([ids[50]]);
  });
});
