import { expect } from "chai";
import { describe, it } from "mocha";
import {
  findForUpdate,
  type Store,
  User,
} from "../../../core/storage/database/index.js";
import { eachDatabase, userRow } from "../../support/store.js";

/** Reads, lets others have their turn, writes what it read plus one. */
async function increment(store: Store, id: string): Promise<void> {
  await store.unitOfWork.run(async (tx) => {
    const user = await findForUpdate(tx, User, { id });
    await new Promise(setImmediate);
    await tx.update(User, { id }, { name: String(Number(user?.name) + 1) });
  });
}

describe("two stores on one database", () => {
  eachDatabase((open) => {
    it("lose no update and reject none", async () => {
      const stores = [await open(), await open()] as const;
      const row = { ...userRow("0"), name: "0" };
      await stores[0].unitOfWork.run((tx) => tx.insert(User, row));
      await Promise.all(
        stores.flatMap((store) =>
          Array.from({ length: 25 }, () => increment(store, row.id)),
        ),
      );
      const user = await stores[1].read.findOneByOrFail(User, { id: row.id });
      expect(user.name).to.equal("50");
    });
  });
});
