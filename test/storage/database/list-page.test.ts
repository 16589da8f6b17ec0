import { expect } from "chai";
import { before, describe, it } from "mocha";
import {
  listPage,
  type Store,
  User,
} from "../../../core/storage/database/index.js";
import { eachDatabase, userRow } from "../../support/store.js";

describe("listPage", () => {
  eachDatabase((open) => {
    let store: Store;
    const createdAt = new Date();
    before(async () => {
      store = await open();
      const rows = Array.from({ length: 25 }, (_, index) => ({
        ...userRow(`User ${index}`),
        createdAt,
      }));
      await store.unitOfWork.run((tx) => tx.insert(User, rows));
    });
    const page = (number: number) =>
      listPage(store.read, User, {
        where: {},
        newestBy: "createdAt",
        page: number,
        pageSize: 10,
      });

    it("returns each row once, rows with equal timestamps by descending id", async () => {
      const pages = [await page(1), await page(2), await page(3)];
      const ids = pages.flatMap(({ rows }) => rows.map(({ id }) => id));
      expect(pages.map(({ rows }) => rows.length)).to.deep.equal([10, 10, 5]);
      expect(ids).to.deep.equal(
        [...new Set(ids)].toSorted((a, b) => (a < b ? 1 : -1)),
      );
    });

    it("returns the total on every page, including one after the last", async () => {
      const beyond = await page(9);
      expect(beyond).to.deep.equal({
        rows: [],
        total: 25,
        page: 9,
        pageSize: 10,
      });
    });
  });
});
