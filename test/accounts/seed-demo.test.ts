import { readFile, stat, readdir } from "node:fs/promises";
import { expect } from "chai";
import { describe, it } from "mocha";
import { SCOPES, seedDemo } from "../../core/accounts/index.js";
import { Organization, type Store } from "../../core/storage/database/index.js";
import {
  eachDatabase,
  createAccounts,
  getRejection,
} from "../support/store.js";
import { suiteFolder } from "../support/store-folder.js";

describe("seedDemo", () => {
  eachDatabase((open) => {
    const dataFolder = suiteFolder();
    const seed = (store: Store, fill = async () => undefined as void) =>
      seedDemo({ store, dataFolder, fill });

    it("leaves nothing behind when it fails", async () => {
      const store = await open();
      const broken = seed(store, async () => {
        throw new Error("no templates");
      });
      expect(String(await getRejection(broken))).to.include("no templates");
      expect(await store.read.count(Organization)).to.equal(0);
    });

    it("fills an empty database once when several processes start together", async () => {
      const stores = await Promise.all([open(), open(), open()]);
      const demos = await Promise.all(stores.map((store) => seed(store)));
      const made = demos.filter((demo) => demo !== null);
      expect(made).to.have.lengthOf(1);
      const { key, keyFile, organizationId } = made[0] ?? expect.fail();
      expect(await readdir(dataFolder)).to.deep.equal(["demo-key.txt"]);
      expect(await readFile(keyFile, "utf8")).to.equal(`${key}\n`);
      expect((await stat(keyFile)).mode & 0o777).to.equal(0o600);
      const { authenticator } = createAccounts(stores[0]);
      expect(await authenticator.authenticate(key)).to.deep.include({
        organizationId,
        plan: "enterprise",
        scopes: SCOPES,
      });
      expect(await seed(stores[0])).to.equal(null);
    });
  });
});
