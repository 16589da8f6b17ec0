import { expect } from "chai";
import { describe, it } from "mocha";
import { countUsage, Usage } from "../../core/accounts/index.js";
import { eachDatabase, newOrganization } from "../support/store.js";

describe("countUsage", () => {
  eachDatabase((open) => {
    it("counts concurrent documents by day, without those that were rolled back", async () => {
      const stores = [await open(), await open()] as const;
      const id = await newOrganization(stores[0]);
      const count = (index: number, day: string) =>
        stores[index % 2 ? 0 : 1].unitOfWork.run(async (tx) => {
          await countUsage(tx, id, "documents", 1, new Date(day));
          if (index === 7) throw new Error("rolled back");
        });
      await Promise.allSettled(
        Array.from({ length: 40 }, (_, index) =>
          count(index, index < 30 ? "2026-07-31T23:59:59Z" : "2026-08-01Z"),
        ),
      );
      const month = (name: string) => new Usage(stores[0]).getMonth(id, name);
      expect(await month("2026-07")).to.deep.equal({ documents: 29 });
      expect(await month("2026-08")).to.deep.equal({ documents: 10 });
      expect(await month("2026-09")).to.deep.equal({ documents: 0 });
    });
  });
});
