import { expect } from "chai";
import { before, describe, it } from "mocha";
import { type Store, User } from "../../../core/storage/database/index.js";
import { eachDatabase, userNames, userRow } from "../../support/store.js";

describe("UnitOfWork", () => {
  eachDatabase((open) => {
    let store: Store;
    before(async () => {
      store = await open();
    });

    it("rolls back everything and rejects with the error of the work", async () => {
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

    it("keeps committed rows when a concurrent one rolls back", async () => {
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

    it("completes many concurrent ones", async () => {
      const names = Array.from({ length: 30 }, (_, index) => `Many ${index}`);
      await Promise.all(
        names.map((name) =>
          store.unitOfWork.run((tx) => tx.save(User, userRow(name))),
        ),
      );
      expect(await userNames(store)).to.include.members(names);
    });

    it("returns the result of the work after it is committed", async () => {
      const row = userRow("Read");
      const id = await store.unitOfWork.run(async (tx) => {
        await tx.insert(User, row);
        return row.id;
      });
      expect(await store.read.countBy(User, { id })).to.equal(1);
    });

    it("rejects nesting instead of waiting for itself", async () => {
      const nested = store.unitOfWork.run(() =>
        store.unitOfWork.run(async () => undefined),
      );
      const error = await nested.catch((reason: unknown) => reason);
      expect(String(error)).to.include("must not start inside another");
    });
  });
});
