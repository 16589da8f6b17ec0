import { expect } from "chai";
import { before, describe, it } from "mocha";
import { ApiKeys, operator } from "../../core/accounts/index.js";
import * as tokens from "../../core/app/tokens.js";
import { readError, newCaller, type TestCaller } from "../support/caller.js";
import { useService } from "../support/service.js";

describe("the header x-api-key", () => {
  const service = useService();
  let caller: TestCaller;
  const ask = (headers: Record<string, string>, path = "/api/documents") =>
    fetch(service.url + path, { headers });

  before(async () => {
    caller = await newCaller(service);
  });

  it("authenticates with a valid key", async () => {
    const response = await ask({ "x-api-key": caller.key });
    expect(response.status).to.equal(200);
  });

  it("is required", async () => {
    const response = await ask({});
    expect(response.status).to.equal(401);
    expect(await readError(response)).to.contain("x-api-key");
  });

  it("is rejected with one wrong character, when empty, and with a Bearer prefix", async () => {
    const wrong =
      caller.key.slice(0, -1) + (caller.key.endsWith("A") ? "B" : "A");
    for (const key of [wrong, " ", "null", `Bearer ${caller.key}`])
      expect((await ask({ "x-api-key": key })).status, key).to.equal(401);
  });

  it("is checked before anything else in the request", async () => {
    const response = await fetch(`${service.url}/api/export`, {
      method: "POST",
      body: "{",
    });
    expect(response.status).to.equal(401);
  });

  it("is rejected once its key is revoked", async () => {
    const { key, keyId } = await newCaller(service);
    const cache = service.container.resolve(tokens.CALLER_CACHE);
    expect((await ask({ "x-api-key": key })).status).to.equal(200);
    await new ApiKeys(service.store, cache).revoke(keyId, operator);
    const response = await ask({ "x-api-key": key });
    expect(response.status).to.equal(401);
    expect(await readError(response)).to.contain("revoked");
  });
});
