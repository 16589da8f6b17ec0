import { expect } from "chai";
import { describe, it } from "mocha";
import { newCaller } from "../support/caller.js";
import { useService } from "../support/service.js";
import { newVisitor } from "../support/studio.js";

describe("an owner in the studio", () => {
  const service = useService();

  it("neither sees nor revokes the keys of another organization", async () => {
    const owner = await newVisitor(service);
    const stranger = await newCaller(service);
    const seen = await (await owner.get("/studio/api/keys")).text();
    expect(seen).to.not.include(stranger.keyId);
    const path = `/studio/api/keys/${stranger.keyId}`;
    expect((await owner.send("DELETE", path)).status).to.equal(404);
    expect((await stranger.get("/api/templates")).status).to.equal(200);
  });

  it("gets an error for each invalid field of a new key", async () => {
    const owner = await newVisitor(service);
    for (const [order, words] of [
      [{ scopes: ["templates:read"] }, "$.name"],
      [{ name: "Shop", scopes: ["template:read"] }, "templates:read"],
      [{ name: "Shop", scopes: [] }, "at least one scope"],
      [{ name: "Shop", scopes: ["templates:read"], expiresAt: "x" }, "2030"],
    ] as const) {
      const response = await owner.send("POST", "/studio/api/keys", order);
      expect(response.status).to.equal(400);
      expect(await response.text()).to.include(words);
    }
  });
});
