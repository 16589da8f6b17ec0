import { expect } from "chai";
import { describe, it } from "mocha";
import { z } from "zod";
import { createLink } from "../../support/links.js";
import {
  addOrder,
  newRecordCaller,
  ordersPlatform,
  useRecordService,
} from "../../support/records.js";

describe("a paused link", () => {
  const platform = ordersPlatform();
  const service = useRecordService(platform);

  it("creates nothing until it is resumed, neither by its page nor by its token", async () => {
    const caller = await newRecordCaller(service);
    addOrder(platform, "B");
    const { id, url, token } = await createLink(caller);
    const changed = await caller.patch(`/api/links/${id}`, { isPaused: true });
    const state = z.looseObject({ state: z.string() });
    expect(state.parse(await changed.json()).state).to.equal("paused");
    const form = await fetch(`${url}?recordId=B`);
    expect(form.status).to.equal(409);
    const send = () =>
      fetch(`${service.url}/api/export/batch/memory`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ token, recordIds: ["B"] }),
      });
    const refused = await send();
    expect(refused.status).to.equal(409);
    expect(await refused.text()).to.contain("This link is paused");
    await caller.patch(`/api/links/${id}`, { isPaused: false });
    expect((await send()).status).to.equal(202);
  });

  it("cannot be changed once it is revoked", async () => {
    const caller = await newRecordCaller(service);
    const { id } = await createLink(caller);
    await caller.delete(`/api/links/${id}`);
    const answer = await caller.patch(`/api/links/${id}`, { name: "New" });
    expect(answer.status).to.equal(409);
    const listed = await caller.get("/api/links?isRevoked=false");
    expect(await listed.text()).to.contain('"data":[]');
  });
});
