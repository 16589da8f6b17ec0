import { expect } from "chai";
import { describe, it } from "mocha";
import { type Caller, requireScope } from "../../core/accounts/index.js";

const caller: Caller = {
  organizationId: "o",
  plan: "free",
  userId: "u",
  keyId: "k",
  requestsPerMinute: null,
  scopes: ["templates:read"],
};

describe("requireScope", () => {
  it("accepts a scope that the key has", () => {
    expect(() => requireScope(caller, "templates:read")).to.not.throw();
  });

  it("rejects other scopes with 400 and names the scope", () => {
    expect(() => requireScope(caller, "documents:write"))
      .to.throw("needs a key with the scope documents:write")
      .that.includes({ code: "forbidden", status: 400 });
  });
});
