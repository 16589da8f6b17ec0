import { expect } from "chai";
import { before, describe, it } from "mocha";
import { operator, SCOPES } from "../../core/accounts/index.js";
import {
  ApiKey,
  newId,
  type Store,
} from "../../core/storage/database/index.js";
import {
  anyDatabase,
  createAccounts,
  newOrganization,
  getRejection,
} from "../support/store.js";

describe("ApiKeys", () => {
  anyDatabase((open) => {
    let store: Store;
    let organizationId: string;
    before(async () => {
      store = await open();
      organizationId = await newOrganization(store);
    });
    const create = (input: object) =>
      createAccounts(store).keys.create(
        organizationId,
        { scopes: SCOPES, ...input },
        operator,
      );

    it("shows a key once, 256 bits after the prefix plk_, and stores only its hash", async () => {
      const { id, key, prefix } = await create({ name: "Shop" });
      expect(key).to.match(/^plk_[\w-]{43}$/);
      expect(key.startsWith(prefix)).to.equal(true);
      const row = await store.read.findOneByOrFail(ApiKey, { id });
      expect(JSON.stringify(row)).to.not.include(key);
      const [listed] = await createAccounts(store).keys.list(organizationId);
      expect(listed).to.include({ id, name: "Shop", prefix });
      expect(listed).to.not.have.any.keys("key", "hash");
    });

    it("rejects unknown scopes and suggests the nearest known one", async () => {
      const error = await getRejection(create({ scopes: ["document:read"] }));
      expect(error).to.include({ code: "invalid_request" });
      expect(String(error)).to.include("did you mean documents:read?");
      expect(String(await getRejection(create({ scopes: [] })))).to.include(
        "at least one scope",
      );
    });

    it("rejects a past expiry and a user of another organization", async () => {
      const past = await getRejection(create({ expiresAt: new Date(0) }));
      expect(String(past)).to.include("cannot expire in the past");
      const stranger = await getRejection(create({ userId: newId() }));
      expect(stranger).to.include({ code: "not_found" });
    });

    it("accepts a second revocation without effect and rejects an unknown key", async () => {
      const { keys } = createAccounts(store);
      const { id } = await create({});
      const first = await keys.revoke(id, operator);
      expect(await keys.revoke(id, operator)).to.deep.equal(first);
      for (const unknown of [newId(), "no id"])
        expect(await getRejection(keys.revoke(unknown, operator))).to.include({
          code: "not_found",
        });
    });
  });
});
