import { expect } from "chai";
import { describe, it } from "mocha";
import { type Store, User } from "../../../core/storage/database/index.js";
import { eachDatabase, userRow } from "../../support/store.js";

async function rename(store: Store, first: string, second: string) {
  await store.unitOfWork.run(async (tx) => {
    await tx.update(User, { id: first }, { name: `after ${second}` });
    await tx.count(User);
    await tx.update(User, { id: second }, { name: `after ${first}` });
  });
}

describe("units of work that lock the same rows in opposite order", () => {
  eachDatabase((open) => {
    it("both succeed because the one that loses is retried", async () => {
      const store = await open();
      const [a, b] = [userRow("A"), userRow("B")];
      await store.unitOfWork.run((tx) => tx.insert(User, [a, b]));
      await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          index % 2 ? rename(store, a.id, b.id) : rename(store, b.id, a.id),
        ),
      );
      const user = await store.read.findOneByOrFail(User, { id: a.id });
      expect(user.name).to.equal(`after ${b.id}`);
    });
  });
});
