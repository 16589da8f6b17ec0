import { expect } from "chai";
import { before, describe, it } from "mocha";
import { type Store, User } from "../../../core/storage/database/index.js";
import { eachDatabase, userRow } from "../../support/store.js";

describe("snapshot", () => {
  eachDatabase((open) => {
    let store: Store;
    let other: Store;
    before(async () => {
      store = await open();
      other = await open();
    });

    const add = () =>
      other.unitOfWork.run((tx) => tx.insert(User, userRow("Ann")));

    it("reads the state at its start while other reads see later commits", async () => {
      const seen = await store.snapshot(async (read) => {
        const first = await read.count(User);
        await add();
        const outside = await store.read.count(User);
        return { first, outside, last: await read.count(User) };
      });
      expect(seen.last).to.equal(seen.first);
      expect(seen.outside).to.equal(seen.first + 1);
      expect(await store.snapshot((read) => read.count(User))).to.equal(
        seen.outside,
      );
    });

    it("does not wait for a writer and does not see its uncommitted rows", async () => {
      const committed = await store.read.count(User);
      const seen = await other.unitOfWork.run(async (tx) => {
        await tx.insert(User, userRow("Ben"));
        return store.snapshot((read) => read.count(User));
      });
      expect(seen).to.equal(committed);
    });

    it("isolates concurrent snapshots from each other", async () => {
      const pairs = await Promise.all(
        Array.from({ length: 20 }, () =>
          store.snapshot(async (read) => {
            const first = await read.count(User);
            await add();
            return { first, last: await read.count(User) };
          }),
        ),
      );
      for (const { first, last } of pairs) expect(last).to.equal(first);
    });

    it("rejects with the error of the work, and the next one succeeds", async () => {
      const reason = new Error("no");
      const failed = store.snapshot(async (read) => {
        await read.count(User);
        throw reason;
      });
      const caught = await failed.catch((error: unknown) => error);
      expect(caught).to.equal(reason);
      expect(await store.snapshot((read) => read.count(User))).to.be.above(0);
    });

    it("rejects nesting instead of waiting for itself", async () => {
      const nested = store.snapshot(() => store.snapshot(async () => {}));
      const error = await nested.catch((reason: unknown) => reason);
      expect(String(error)).to.include(
        "snapshot must not start inside another",
      );
    });
  });
});
