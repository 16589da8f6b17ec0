import { expect } from "chai";
import { before, describe, it } from "mocha";
import { readError, newCaller, type TestCaller } from "../support/caller.js";
import { exported, useService } from "../support/service.js";
import { definition, publish } from "../support/store.js";

describe("unusual data", () => {
  const service = useService();
  let caller: TestCaller;
  let templateId: string;
  const sendText = (data: string) =>
    fetch(`${service.url}/api/export`, {
      method: "POST",
      headers: { "x-api-key": caller.key, "content-type": "application/json" },
      body: `{ "templateId": "${templateId}", "formats": ["html"], "data": ${data} }`,
    });

  before(async () => {
    caller = await newCaller(service);
    templateId = await publish(service.store, caller);
  });

  for (const [data, path] of [
    ['{ "__proto__": { "name": "Eve" } }', "__proto__"],
    ['{ "a": [{ "b": { "constructor": 1 } }] }', "constructor"],
    ['{ "prototype": {} }', "prototype"],
  ] as const)
    it(`is rejected with its path when it contains the name ${path}`, async () => {
      const response = await sendText(data);
      expect(response.status).to.equal(400);
      expect(await readError(response)).to.contain(path);
      expect(({} as Record<string, unknown>)["name"]).to.equal(undefined);
    });

  it("of a hundred thousand rows is merged or rejected, and the next request succeeds", async () => {
    const row = {
      type: "table-row",
      collection: { collectionId: "line", path: "root.lines" },
      components: [{ type: "table-cell", text: "{{ line.n }}" }],
    };
    const long = await publish(service.store, caller, {
      definition: {
        ...definition,
        components: [{ type: "table", components: [row] }],
      },
    });
    const lines = Array.from({ length: 100_000 }, (_, n) => ({ n }));
    const response = await caller.post("/api/export", {
      templateId: long,
      formats: ["html"],
      data: { lines },
    });
    expect(response.status).to.be.oneOf([200, 400]);
    if (response.status === 400)
      expect(await readError(response)).to.match(/\d/);
    const { result } = await exported(caller, {
      templateId,
      formats: ["html"],
      data: { name: "Ada" },
    });
    expect(result.html?.htmlDocument).to.contain("Ada");
  });
});
