import { expect } from "chai";
import { z } from "zod";
import { countUsage } from "../../core/accounts/index.js";
import { newId } from "../../core/storage/database/index.js";
import { batchWhen, sendBatch } from "../support/batches.js";
import { reader } from "../support/caller.js";
import { useService } from "../support/service.js";
import { eachDatabase, publish } from "../support/store.js";
import { newVisitor, type TestVisitor } from "../support/studio.js";
import { allowBatches } from "../support/wizard-shop.js";

const readList = reader(
  z.object({ data: z.array(z.looseObject({})), total: z.int() }),
);
const readFailures = reader(
  z.object({
    data: z.array(z.object({ error: z.string(), count: z.int() })),
    total: z.int(),
  }),
);
const readUsage = reader(
  z.object({ month: z.string(), days: z.array(z.unknown()) }),
);

const list = async (visitor: TestVisitor, path: string) =>
  readList(await visitor.get(`/studio/api/${path}`));
const listUsage = async (visitor: TestVisitor, month: string) =>
  readUsage(await visitor.get(`/studio/api/usage?month=${month}`));
/** The time so many milliseconds from now. */
const toTime = (offset: number) => new Date(Date.now() + offset).toISOString();

eachDatabase((_open, database) => {
  describe("the studio's lists", () => {
    const service = useService({ config: { database } });
    let stranger: TestVisitor;
    before(async () => {
      stranger = await newVisitor(service);
    });

    /** A batch of a new template, which has ended. */
    async function runBatch(
      owner: TestVisitor,
      data: readonly object[],
      input: Parameters<typeof publish>[2] = { name: "Bill" },
    ) {
      await allowBatches(service, owner);
      const templateId = await publish(service.store, owner, input);
      const items = data.map((one) => ({ data: one }));
      const order = { templateId, formats: ["html"], items };
      const { batchId } = await sendBatch(owner, order);
      await batchWhen(owner, batchId);
      return { templateId, batchId };
    }

    it("find documents by text, template, status and time", async () => {
      const owner = await newVisitor(service);
      const run = (name: string, fileName: string) =>
        runBatch(owner, [{ no: "A7" }, { prototype: 1 }], {
          name,
          definition: {
            schema: [{ id: "root", fields: [{ name: "no", type: "String" }] }],
            fileName,
            components: [],
          },
        });
      const { templateId: bills } = await run("Bill", "Bill {{ root.no }}");
      const { templateId: quotes } = await run(
        "Angebot_Ü",
        "100% {{ root.no }}",
      );
      const hour = 3_600_000;
      const find = async (query: [string, string][], visitor = owner) =>
        list(visitor, `documents?${new URLSearchParams(query).toString()}`);
      const expected: [query: Record<string, string>, count: number][] = [
        [{}, 4],
        [{ q: "bill a" }, 1],
        [{ q: "BILL" }, 2],
        [{ q: "angebot_ü" }, 2],
        [{ q: "100%" }, 1],
        [{ q: "1_0" }, 0],
        [{ q: "a7" }, 2],
        [{ q: "a7", templateId: bills }, 1],
        [{ q: "bill", templateId: quotes }, 0],
        [{ templateId: newId() }, 0],
        [{ q: "prototype", status: "failed" }, 2],
        [{ q: "a7", status: "failed" }, 0],
        [{ status: "expired" }, 0],
        [{ from: toTime(-hour), until: toTime(hour) }, 4],
        [{ from: toTime(hour) }, 0],
        [{ until: toTime(-hour) }, 0],
      ];
      for (const [query, count] of expected) {
        const { data } = await find(Object.entries(query));
        expect(data, JSON.stringify(query)).to.have.length(count);
      }
      const { data } = await find([
        ["status", "failed"],
        ["status", "succeeded"],
      ]);
      expect(data).to.have.length(4);
      const failed = data.find(({ status }) => status === "failed");
      expect(failed?.["error"]).to.include("prototype");
      const [first] = data;
      expect((await find([["q", String(first?.["id"])]])).data).to.eql([first]);
      expect((await find([["q", "a7"]], stranger)).total).to.equal(0);
    });

    it("count the failures of a batch and sum up their reasons, for its organization only", async () => {
      const owner = await newVisitor(service);
      const { batchId, templateId } = await runBatch(owner, [
        { prototype: 1 },
        {},
        { prototype: 2 },
        { constructor: 1 },
      ]);
      const viewer = await newVisitor(service, "viewer", owner.organizationId);
      const [line] = (await list(viewer, "batches")).data;
      expect(line).to.deep.include({
        id: batchId,
        status: "completed",
        template: { id: templateId, name: "Bill" },
        totalCount: 4,
        remaining: 0,
        failed: 3,
      });
      for (const [path, total] of [
        [`batches?batchId=${batchId}`, 1],
        [`documents?batchId=${batchId}`, 4],
      ] as const) {
        expect((await list(viewer, path)).total).to.equal(total);
        expect((await list(stranger, path)).total).to.equal(0);
      }
      const at = `/studio/api/batches/${batchId}/failures`;
      const { data, total } = await readFailures(await viewer.get(at));
      expect(total).to.equal(3);
      expect(data.map(({ count }) => count)).to.eql([2, 1]);
      expect(data[0]?.error).to.include("prototype");
      const others = await readFailures(await stranger.get(at));
      expect(others).to.eql({ data: [], total: 0 });
    });

    it("return the days of a month for one organization only", async () => {
      const viewer = await newVisitor(service, "viewer");
      const { organizationId } = viewer;
      await service.store.unitOfWork.run(async (tx) => {
        for (const [day, amount] of [
          ["2026-07-31", 4],
          ["2026-07-02", 3],
          ["2026-08-01", 9],
        ] as const) {
          const at = new Date(day);
          await countUsage(tx, organizationId, "documents", amount, at);
        }
      });
      expect((await listUsage(viewer, "2026-07")).days).to.deep.equal([
        { day: "2026-07-02", documents: 3 },
        { day: "2026-07-31", documents: 4 },
      ]);
      expect((await listUsage(stranger, "2026-07")).days).to.deep.equal([]);
      expect((await listUsage(viewer, "x")).month).to.match(/^\d{4}-\d\d$/);
    });
  });
});
