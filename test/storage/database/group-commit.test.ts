import { expect } from "chai";
import { before, describe, it } from "mocha";
import {
  changeRows,
  GroupCommit,
  type Store,
  UsageCounter,
} from "../../../core/storage/database/index.js";
import { newOrganization, eachDatabase } from "../../support/store.js";

const day = "2026-01-01";

eachDatabase((open) => {
  describe("writes that share a unit of work", () => {
    let store: Store;
    let organizationId: string;
    before(async () => {
      store = await open();
      organizationId = await newOrganization(store);
    });
    const createGroupCommit = (max: number) =>
      new GroupCommit<string, number>(
        store.unitOfWork,
        async (tx, metrics) => {
          for (const metric of metrics)
            await changeRows(
              tx,
              "INSERT INTO usage_counter (organization_id, day, metric, amount) VALUES (?, ?, ?, 1)",
              [organizationId, day, metric],
            );
          if (metrics.includes("bad")) throw new Error("one was bad");
          return metrics.map(() => metrics.length);
        },
        { gatherMs: 5, most: max },
      );
    const written = async () => {
      const rows = await store.read.findBy(UsageCounter, { organizationId });
      return rows.map(({ metric }) => metric).toSorted();
    };

    it("are written in one transaction", async () => {
      const group = createGroupCommit(3);
      const sizes = await Promise.all(["a", "b", "c"].map((m) => group.run(m)));
      expect(sizes).to.deep.equal([3, 3, 3]);
      expect(await written()).to.deep.equal(["a", "b", "c"]);
    });

    it("fail separately, each for its own reason", async () => {
      const group = createGroupCommit(3);
      const ends = await Promise.allSettled(
        ["d", "bad", "e"].map((m) => group.run(m)),
      );
      expect(ends.map(({ status }) => status)).to.deep.equal([
        "fulfilled",
        "rejected",
        "fulfilled",
      ]);
      expect(await written()).to.deep.equal(["a", "b", "c", "d", "e"]);
    });

    it("are written after the delay when no others arrive", async () => {
      expect(await createGroupCommit(100).run("f")).to.equal(1);
    });
  });
});
