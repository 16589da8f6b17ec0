import { expect } from "chai";
import { describe, it } from "mocha";
import { z } from "zod";
import { countUsage } from "../../core/accounts/index.js";
import { batchWhen, newBatchCaller, sendBatch } from "../support/batches.js";
import { reader } from "../support/caller.js";
import { useService } from "../support/service.js";
import { eachDatabase, publish } from "../support/store.js";
import { newVisitor } from "../support/studio.js";

const listed = reader(
  z.object({ data: z.array(z.looseObject({})), total: z.int() }),
);
const used = reader(
  z.object({ month: z.string(), days: z.array(z.unknown()) }),
);

eachDatabase((_open, database) => {
  describe("the studio's lists of batches and usage", () => {
    const service = useService({ config: { database } });

    it("count failures of the batch's organization only", async () => {
      const caller = await newBatchCaller(service);
      const templateId = await publish(service.store, caller, { name: "Bill" });
      const items = [{ data: {} }, { data: { prototype: 1 } }];
      const order = { templateId, formats: ["html"], items };
      const { batchId } = await sendBatch(caller, order);
      await batchWhen(caller, batchId);
      const { organizationId } = caller;
      const viewer = await newVisitor(service, "viewer", organizationId);
      const stranger = await newVisitor(service);
      const [line] = (await listed(await viewer.get("/studio/api/batches")))
        .data;
      expect(line).to.deep.include({
        id: batchId,
        status: "completed",
        template: { id: templateId, name: "Bill" },
        totalCount: 2,
        remaining: 0,
        failed: 1,
      });
      for (const path of [
        `batches?batchId=${batchId}`,
        `documents?batchId=${batchId}`,
      ]) {
        const at = `/studio/api/${path}`;
        const total = path.startsWith("batches") ? 1 : 2;
        expect((await listed(await viewer.get(at))).total).to.equal(total);
        expect((await listed(await stranger.get(at))).total).to.equal(0);
      }
    });

    it("return the days of a month for one organization only", async () => {
      const viewer = await newVisitor(service, "viewer");
      const stranger = await newVisitor(service);
      await service.store.unitOfWork.run(async (tx) => {
        for (const [day, amount] of [
          ["2026-07-31", 4],
          ["2026-07-02", 3],
          ["2026-08-01", 9],
        ] as const) {
          const { organizationId } = viewer;
          await countUsage(
            tx,
            organizationId,
            "documents",
            amount,
            new Date(day),
          );
        }
      });
      const at = "/studio/api/usage?month=2026-07";
      expect((await used(await viewer.get(at))).days).to.deep.equal([
        { day: "2026-07-02", documents: 3 },
        { day: "2026-07-31", documents: 4 },
      ]);
      expect((await used(await stranger.get(at))).days).to.deep.equal([]);
      const { month } = await used(
        await viewer.get("/studio/api/usage?month=x"),
      );
      expect(month).to.match(/^\d{4}-\d\d$/);
    });
  });
});
