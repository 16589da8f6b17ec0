import { expect } from "chai";
import { before, describe, it } from "mocha";
import { readError, newCaller, type TestCaller } from "../support/caller.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";

describe("GET /api/usage", () => {
  const service = useService();
  let caller: TestCaller;
  const month = new Date().toISOString().slice(0, 7);

  before(async () => {
    caller = await newCaller(service);
    const templateId = await publish(service.store, caller, { name: "Letter" });
    const formats = ["html"];
    await caller.post("/api/export", { templateId, formats });
    await caller.post("/api/export", { templateId, formats, isTest: true });
  });

  it("returns the counts of this month, without tests", async () => {
    const usage: unknown = await (await caller.get("/api/usage")).json();
    expect(usage).to.include({ month, documents: 1 });
    expect(usage).to.have.keys("organizationId", "plan", "month", "documents");
  });

  it("returns the counts of another month", async () => {
    const reply = await caller.get("/api/usage?month=2020-02");
    expect(await reply.json()).to.include({ month: "2020-02", documents: 0 });
  });

  it("rejects an invalid month", async () => {
    const reply = await caller.get("/api/usage?month=2020-13");
    expect(reply.status).to.equal(400);
    expect(await readError(reply)).to.contain("a month such as");
  });

  it("requires the scope account:read", async () => {
    const reader = await newCaller(service, ["documents:read"]);
    const reply = await reader.get("/api/usage");
    expect(reply.status).to.equal(400);
    expect(await readError(reply)).to.contain("account:read");
  });
});
