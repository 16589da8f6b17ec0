import { expect } from "chai";
import { before, describe, it } from "mocha";
import type { FindOptionsWhere } from "typeorm";
import {
  ListCount,
  ListCounts,
  type Store,
  User,
} from "../../../core/storage/database/index.js";
import { eventually } from "../../support/eventually.js";
import { eachDatabase, userRow } from "../../support/store.js";

const hourMs = 3_600_000;

describe("ListCounts", () => {
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

    const countUsers = (
      unsettledFrom: Date | null = null,
      where: FindOptionsWhere<User> = {},
    ) =>
      store.snapshot((read) =>
        new ListCounts(store, 1).count(read, {
          entity: User,
          list: `users ${JSON.stringify(where)}`,
          where,
          newestBy: "createdAt",
          unsettledFrom,
        }),
      );
    const findStored = (list: string) =>
      store.read.findOneBy(ListCount, { list });

    it("counts rows that were added after the stored count", async () => {
      expect(await countUsers()).to.equal(20);
      const stored = await eventually(() => findStored("users {}"));
      expect(stored).to.include({ rowCount: 20 });
      await insert(3, new Date());
      expect(await countUsers()).to.equal(23);
      expect(await countUsers()).to.equal(23);
    });

    it("counts older rows once, also for other processes", async () => {
      await store.unitOfWork.run((tx) =>
        tx.update(ListCount, { list: "users {}" }, { rowCount: 1000 }),
      );
      expect(await countUsers()).to.equal(1003);
    });

    it("counts all rows anew after a day, without a request waiting for it", async () => {
      await store.unitOfWork.run((tx) =>
        tx.update(
          ListCount,
          { list: "users {}" },
          { countedAt: new Date(Date.now() - 25 * hourMs) },
        ),
      );
      expect(await countUsers()).to.equal(1003);
      await eventually(async () => (await countUsers()) === 23);
    });

    it("counts rows that may still change each time", async () => {
      const renamed = await countUsers(null, { name: "Renamed" });
      const from = new Date(Date.now() - 3 * hourMs);
      await insert(5, new Date(Date.now() - 2 * hourMs));
      const where = { name: "User" };
      const total = await countUsers(from, where);
      await store.unitOfWork.run((tx) =>
        tx.update(User, where, { name: "Renamed" }),
      );
      expect(await countUsers(from, where)).to.equal(0);
      expect(await countUsers(from, { name: "Renamed" })).to.equal(
        renamed + total,
      );
    });
  });
});
