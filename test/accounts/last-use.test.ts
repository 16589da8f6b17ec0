import { expect } from "chai";
import { describe, it } from "mocha";
import { operator } from "../../core/accounts/index.js";
import { ApiKey } from "../../core/storage/database/index.js";
import {
  eachDatabase,
  createAccounts,
  newOrganization,
} from "../support/store.js";

describe("a key's last use", () => {
  eachDatabase((open) => {
    it("is recorded once a minute, by whichever process is first", async () => {
      const store = await open();
      const { keys } = createAccounts(store);
      const { id, key } = await keys.create(
        await newOrganization(store),
        { scopes: ["templates:read"] },
        operator,
      );
      const lastUse = async () => {
        await store.unitOfWork.run(async () => undefined);
        return (await store.read.findOneByOrFail(ApiKey, { id })).lastUsedAt;
      };
      const use = async () => {
        const other = await open();
        await createAccounts(other).authenticator.authenticate(key);
        await other.close();
      };
      await use();
      const first = await lastUse();
      expect(first).to.be.an.instanceOf(Date);
      await use();
      expect(await lastUse()).to.deep.equal(first);
      await store.unitOfWork.run((tx) =>
        tx.update(ApiKey, { id }, { lastUsedAt: new Date(0) }),
      );
      await use();
      expect(await lastUse()).to.be.greaterThan(new Date(0));
    });
  });
});
