import { expect } from "chai";
import { before, describe, it } from "mocha";
import {
  CachedRowCount,
  type Store,
  User,
} from "../../../core/storage/database/index.js";
import { eachDatabase, userRow } from "../../support/store.js";

const hourMs = 3_600_000;

describe("CachedRowCount", () => {
  eachDatabase((open) => {
    let store: Store;
    before(async () => {
      store = await open();
      await insert(20, new Date(Date.now() - hourMs));
    });
    const insert = (count: number, createdAt: Date) =>
      store.unitOfWork.run((tx) =>
        tx.insert(
          User,
          Array.from({ length: count }, () => ({
            ...userRow("User"),
            createdAt,
          })),
        ),
      );

    it("counts rows that were added after the cached count", async () => {
      const list = new CachedRowCount(1);
      const counted = { where: {}, newestBy: "createdAt" } as const;
      const count = () => list.count(store.read, User, counted, "users");
      expect(await count()).to.equal(20);
      await insert(3, new Date());
      expect(await count()).to.equal(23);
      expect(await count()).to.equal(23);
    });
  });
});
