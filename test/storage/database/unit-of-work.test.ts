import { expect } from "chai";
import { before, describe, it } from "mocha";
import { type Store, User } from "../../../core/storage/database/index.js";
import { eachDatabase } from "../../support/store.js";
import { userNames, userRow } from "../../support/store-rows.js";

describe("UnitOfWork", () => {
  eachDatabase((open) => {
    let store: Store;
    before(async () => {
      store = await open();
    });

    it("undoes everything when the work fails, and passes the reason on", async () => {
      const reason = new Error("no");
      const caught = await store.unitOfWork
        .run(async (tx) => {
          await tx.insert(User, userRow("Ghost"));
          throw reason;
        })
        .catch((error: unknown) => error);
      expect(caught).to.equal(reason);
      expect(await userNames(store)).to.not.include("Ghost");
    });

    it("keeps committed rows when another unit, begun meanwhile, rolls back", async () => {
      await Promise.allSettled(
        ["Kept", "Lost"].map((name) =>
          store.unitOfWork.run(async (tx) => {
            await tx.insert(User, userRow(name));
            await tx.count(User);
            if (name === "Lost") throw new Error("rolled back");
          }),
        ),
      );
      expect(await userNames(store))
        .to.include("Kept")
        .and.not.include("Lost");
    });

    it("runs many at once, all of them to their end", async () => {
      const names = Array.from({ length: 30 }, (_, index) => `Many ${index}`);
      await Promise.all(
        names.map((name) =>
          store.unitOfWork.run((tx) => tx.save(User, userRow(name))),
        ),
      );
      expect(await userNames(store)).to.include.members(names);
    });

    it("returns what the work returns, which is then readable", async () => {
      const row = userRow("Read");
      const id = await store.unitOfWork.run(async (tx) => {
        await tx.insert(User, row);
        return row.id;
      });
      expect(await store.read.countBy(User, { id })).to.equal(1);
    });

    it("refuses to be nested instead of waiting for itself", async () => {
      const nested = store.unitOfWork.run(() =>
        store.unitOfWork.run(async () => undefined),
      );
      const error = await nested.catch((reason: unknown) => reason);
      expect(String(error)).to.include("must not start inside another");
    });
  });
});
