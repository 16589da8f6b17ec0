import { expect } from "chai";
import { before, describe, it } from "mocha";
import { operator } from "../../core/accounts/index.js";
import { ApiKey, type Store } from "../../core/storage/database/index.js";
import {
  anyDatabase,
  createAccounts,
  newOrganization,
  getRejection,
} from "../support/store.js";

describe("authenticate", () => {
  anyDatabase((open) => {
    let store: Store;
    let accounts: ReturnType<typeof createAccounts>;
    let organizationId: string;
    before(async () => {
      store = await open();
      accounts = createAccounts(store);
      organizationId = await newOrganization(store, "pro");
    });
    const create = (expiresAt?: Date) =>
      accounts.keys.create(
        organizationId,
        { scopes: ["documents:read"], expiresAt },
        operator,
      );
    const rejection = (key: string | undefined) =>
      getRejection(accounts.authenticator.authenticate(key));

    it("returns the key's organization, user and scopes", async () => {
      const { id, key, userId } = await create();
      expect(await accounts.authenticator.authenticate(key)).to.deep.equal({
        organizationId,
        plan: "pro",
        userId,
        keyId: id,
        requestsPerMinute: null,
        scopes: ["documents:read"],
      });
    });

    it("rejects a missing key and an unknown key with different messages", async () => {
      for (const [key, words] of [
        [undefined, "No API key was sent"],
        ["", "No API key was sent"],
        ["plk_unknown", "Unknown API key"],
      ] as const) {
        const error = await rejection(key);
        expect(error).to.include({ code: "unauthorized", status: 401 });
        expect(String(error)).to.include(words).and.not.include("plk_");
      }
    });

    it("rejects a revoked key as soon as it is revoked", async () => {
      const { id, key } = await create();
      await accounts.authenticator.authenticate(key);
      await accounts.keys.revoke(id, operator);
      expect(String(await rejection(key))).to.include("was revoked");
    });

    it("rejects an expired key and says when it expired", async () => {
      const { id, key } = await create(new Date(Date.now() + 60_000));
      await store.unitOfWork.run((tx) =>
        tx.update(ApiKey, { id }, { expiresAt: new Date("2020-01-01Z") }),
      );
      expect(String(await rejection(key))).to.include(
        "expired at 2020-01-01T00:00:00.000Z",
      );
    });
  });
});
