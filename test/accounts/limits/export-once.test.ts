import { expect } from "chai";
import { before, describe, it } from "mocha";
import {
  readError,
  newCaller,
  type TestCaller,
  replies,
} from "../../support/caller.js";
import { useService } from "../../support/service.js";
import { publish } from "../../support/store.js";

describe("POST /api/export with an Idempotency-Key", () => {
  const service = useService();
  let caller: TestCaller;
  let templateId: string;
  const ask = (key: string, body: object = {}, who = caller) =>
    fetch(`${service.url}/api/export`, {
      method: "POST",
      headers: {
        "x-api-key": who.key,
        "content-type": "application/json",
        "idempotency-key": key,
      },
      body: JSON.stringify({ templateId, formats: ["html"], ...body }),
    });
  const total = async () =>
    (await replies.documents(await caller.get("/api/documents"))).pagination
      .total;

  before(async () => {
    caller = await newCaller(service);
    templateId = await publish(service.store, caller, { name: "Letter" });
  });

  it("renders once and returns the same response", async () => {
    const first = await ask("once");
    const second = await ask("once");
    expect(second.status).to.equal(200);
    expect(first.headers.get("idempotency-replayed")).to.equal(null);
    expect(second.headers.get("idempotency-replayed")).to.equal("true");
    expect(second.headers.get("x-document-id")).to.equal(
      first.headers.get("x-document-id"),
    );
    expect(await second.json()).to.deep.equal(await first.json());
    expect(await total()).to.equal(1);
  });

  it("renders once for two concurrent requests", async () => {
    const earlier = await total();
    const both = await Promise.all([ask("race"), ask("race")]);
    const statuses = both.map(({ status }) => status);
    expect(statuses).to.include(200);
    expect([200, 409]).to.include.members(statuses);
    const late = both.find(({ status }) => status === 409);
    if (late) expect(late.headers.get("retry-after")).to.match(/^\d+$/);
    expect(await total()).to.equal(earlier + 1);
  });

  it("rejects another body for the same key", async () => {
    await ask("other");
    const reply = await ask("other", { data: { name: "Ada" } });
    expect(reply.status).to.equal(409);
    expect(await readError(reply)).to.contain("was used for another request");
  });

  it("renders again after a failure", async () => {
    const unknown = { templateId: "0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f" };
    expect((await ask("again", unknown)).status).to.equal(404);
    expect((await ask("again")).status).to.equal(200);
  });

  it("keeps the keys of organizations apart", async () => {
    const other = await newCaller(service);
    await ask("shared");
    const reply = await ask("shared", {}, other);
    expect(reply.status).to.equal(404);
  });

  it("rejects an invalid key", async () => {
    const reply = await ask("k".repeat(256));
    expect(reply.status).to.equal(400);
    expect(await readError(reply)).to.contain("Idempotency-Key");
  });
});
