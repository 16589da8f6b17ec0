import { expect } from "chai";
import { before, describe, it } from "mocha";
import { newBatchCaller } from "../support/batches.js";
import { readError, type TestCaller, replies } from "../support/caller.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";

describe("an invalid batch is rejected", () => {
  const service = useService({ role: "serve" });
  let caller: TestCaller;
  let templateId: string;
  before(async () => {
    caller = await newBatchCaller(service);
    templateId = await publish(service.store, caller);
  });

  const rejections: [what: string, change: object, says: string][] = [
    ["isTest", { isTest: true }, "$.isTest: must not be true"],
    [
      "a missing e-signature connection",
      { sendForSignature: true },
      "$.sendForSignature: the organization has no connection",
    ],
    ["no items", { items: [] }, "$.items: must contain at least one item"],
    ["items and their alias", { documents: [{}] }, "$.documents: is an alias"],
    ["items that are not an array", { items: {} }, "$.items: must be an array"],
    [
      "no formats",
      { formats: [] },
      "$.formats: must contain at least one item",
    ],
    ["an unknown property", { dokuments: [] }, "Did you mean documents?"],
    [
      "an item's format",
      { items: [{}, {}, {}, { formats: ["doc"] }] },
      "$.items[3].formats[0]: must be one of",
    ],
    ["an item's data", { items: [{ data: [] }] }, "$.items[0].data: must be"],
    [
      "an item's expiry",
      { items: [{}, { expiresAt: "2001-01-01" }] },
      "$.items[1].expiresAt: is in the past",
    ],
  ];
  for (const [description, change, message] of rejections)
    it(`for ${description}, with 400 and the JSON path`, async () => {
      const body = { items: [{}], formats: ["pdf"], templateId, ...change };
      const response = await caller.post("/api/export/batch", body);
      expect(response.status).to.equal(400);
      expect(await readError(response)).to.contain(message);
    });

  it("with the alias in the path when the alias was used", async () => {
    const documents = [{ data: 5 }];
    const body = { documents, formats: ["pdf"], templateId };
    const response = await caller.post("/api/export/batch", body);
    expect(await readError(response)).to.contain("$.documents[0].data");
  });

  it("for a template of another organization, with 404", async () => {
    const stranger = await newBatchCaller(service);
    const body = { items: [{}], formats: ["pdf"], templateId };
    const response = await stranger.post("/api/export/batch", body);
    expect(response.status).to.equal(404);
  });

  it("for invalid JSON, with the position of the error", async () => {
    const response = await fetch(`${service.url}/api/export/batch`, {
      method: "POST",
      headers: { "x-api-key": caller.key, "content-type": "application/json" },
      body: '{ "items": [ {} {} ] }',
    });
    expect(response.status).to.equal(400);
    expect(await readError(response)).to.contain("not valid JSON");
  });

  for (const plan of ["free", "pro"] as const)
    it(`for the plan ${plan}, with 400 and the reason`, async () => {
      const limited = await newBatchCaller(service, plan);
      const own = await publish(service.store, limited);
      const body = { items: [{}], formats: ["pdf"], templateId: own };
      const response = await limited.post("/api/export/batch", body);
      expect(response.status).to.equal(400);
      expect(await readError(response)).to.contain("premium or enterprise");
    });

  it("and nothing is stored", async () => {
    const { data } = await replies.documents(
      await caller.get("/api/documents"),
    );
    expect(data).to.deep.equal([]);
  });
});
