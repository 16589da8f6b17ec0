import { expect } from "chai";
import { describe, it } from "mocha";
import { CallerCache } from "../../core/accounts/index.js";

const caller = {
  organizationId: "o",
  plan: "free",
  userId: "u",
  keyId: "k",
  requestsPerMinute: null,
  scopes: [],
  expiresAt: null,
} as const;

describe("a key revoked during its lookup", () => {
  it("is not cached, because the lookup may have read it before", async () => {
    const callers = new CallerCache();
    await callers.fill("hash", async () => {
      callers.forget("hash");
      return caller;
    });
    expect(callers.get("hash")).to.equal(undefined);
    await callers.fill("hash", async () => caller);
    expect(callers.get("hash")).to.equal(caller);
  });
});
