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
const failed = reader(
  z.object({
    data: z.array(z.object({ error: z.string(), count: z.int() })),
    total: z.int(),
  }),
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

    it("find documents by text, template, status and time", async () => {
      const caller = await newBatchCaller(service);
      const named = async (name: string, fileName: string) =>
        publish(service.store, caller, {
          name,
          definition: {
            schema: [{ id: "root", fields: [{ name: "no", type: "String" }] }],
            fileName,
            components: [],
          },
        });
      const bills = await named("Bill", "Bill {{ root.no }}");
      const quotes = await named("Angebot_Ü", "100% {{ root.no }}");
      const items = [{ data: { no: "A7" } }, { data: { prototype: 1 } }];
      for (const templateId of [bills, quotes]) {
        const order = { templateId, formats: ["html"], items };
        const { batchId } = await sendBatch(caller, order);
        await batchWhen(caller, batchId);
      }
      const { organizationId } = caller;
      const viewer = await newVisitor(service, "viewer", organizationId);
      const find = async (query: Record<string, string>) => {
        const text = new URLSearchParams(query).toString();
        const at = `/studio/api/documents?${text}`;
        return (await listed(await viewer.get(at))).data;
      };
      const count = async (query: Record<string, string>) =>
        (await find(query)).length;
      expect(await count({ q: "bill a" })).to.equal(1);
      expect(await count({ q: "BILL" })).to.equal(2);
      expect(await count({ q: "angebot_ü" })).to.equal(2);
      expect(await count({ q: "100%" })).to.equal(1);
      expect(await count({ q: "1_0" })).to.equal(0);
      expect(await count({ q: "a7" })).to.equal(2);
      expect(await count({ q: "a7", templateId: bills })).to.equal(1);
      expect(await count({ q: "bill", templateId: quotes })).to.equal(0);
      expect(await count({ q: "prototype", status: "failed" })).to.equal(2);
      expect(await count({ q: "a7", status: "failed" })).to.equal(0);
      const [first] = await find({});
      expect(await find({ q: String(first?.["id"]) })).to.eql([first]);
      const now = Date.now();
      const [past, future] = [now - 3_600_000, now + 3_600_000].map((time) =>
        new Date(time).toISOString(),
      );
      if (past === undefined || future === undefined) throw new Error();
      expect(await count({ from: past, until: future })).to.equal(4);
      expect(await count({ from: future })).to.equal(0);
      expect(await count({ until: past })).to.equal(0);
      const stranger = await newVisitor(service);
      const others = await stranger.get("/studio/api/documents?q=a7");
      expect((await listed(others)).total).to.equal(0);
    });

    it("sum up why documents of a batch failed", async () => {
      const caller = await newBatchCaller(service);
      const templateId = await publish(service.store, caller, { name: "Bill" });
      const items: { data: object }[] = [
        { data: { prototype: 1 } },
        { data: {} },
        { data: { prototype: 2 } },
        { data: { constructor: 1 } },
      ];
      const order = { templateId, formats: ["html"], items };
      const { batchId } = await sendBatch(caller, order);
      await batchWhen(caller, batchId);
      const viewer = await newVisitor(service, "viewer", caller.organizationId);
      const at = `/studio/api/batches/${batchId}/failures`;
      const { data, total } = await failed(await viewer.get(at));
      expect(total).to.equal(3);
      expect(data.map(({ count }) => count)).to.eql([2, 1]);
      expect(data[0]?.error).to.include("prototype");
      const stranger = await newVisitor(service);
      expect(await failed(await stranger.get(at))).to.eql({
        data: [],
        total: 0,
      });
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
