import { expect } from "chai";
import { before, describe, it } from "mocha";
import {
  Batch,
  Document,
  insertRow,
} from "../../core/storage/database/index.js";
import { batchWhen, newBatchCaller, sendBatch } from "../support/batches.js";
import { readError, replies, type TestCaller } from "../support/caller.js";
import { useService } from "../support/service.js";
import { eachDatabase, publish } from "../support/store.js";

eachDatabase((_open, database) => {
  describe("GET /api/documents with filters", () => {
    const service = useService({ config: { database } });
    let caller: TestCaller;
    let letter: string;
    let offer: string;
    let batchId: string;
    let single: string;
    const list = async (query: string) =>
      replies.documents(await caller.get(`/api/documents?${query}`));
    const getIndexes = async (query: string) => {
      const { data, pagination } = await list(query);
      expect(pagination.total).to.equal(data.length);
      return data
        .map(({ metadata }) => Number(metadata?.["batchIndex"] ?? -1))
        .toSorted((a, b) => a - b);
    };
    const metadata = [
      { order: "4711", customer: "Ada" },
      { order: "4711 ", customer: "ada" },
      { order: 4711, paid: true, rate: 1.5, note: null },
      { "a.b": "x", 'quote"d': 'va"l\\ue', "": "empty", ключ: "значение" },
      { order: { id: "4711" }, list: ["4711"], "50%": "_" },
    ];

    before(async () => {
      caller = await newBatchCaller(service);
      letter = await publish(service.store, caller, { name: "Letter" });
      offer = await publish(service.store, caller, { name: "Offer" });
      const items = metadata.map((each, index) => ({
        metadata: each,
        data: index === 4 ? { prototype: "refused" } : {},
      }));
      const body = { templateId: letter, formats: ["html"], items };
      ({ batchId } = await sendBatch(caller, body));
      await batchWhen(caller, batchId);
      const response = await caller.post("/api/export", {
        templateId: offer,
        formats: ["html"],
      });
      single = response.headers.get("x-document-id") ?? "";
    });

    it("returns those with a status", async () => {
      expect(await getIndexes("status=failed")).to.deep.equal([4]);
      expect(await getIndexes("status=succeeded")).to.deep.equal([
        -1, 0, 1, 2, 3,
      ]);
      expect(await getIndexes("status=queued")).to.deep.equal([]);
    });

    it("returns those of a template or a batch", async () => {
      const { data } = await list(`templateId=${offer}`);
      expect(data.map(({ id }) => id)).to.deep.equal([single]);
      const all = [0, 1, 2, 3, 4];
      expect(await getIndexes(`batchId=${batchId}`)).to.deep.equal(all);
      expect(
        await getIndexes(`templateId=${letter}&batchId=${batchId}`),
      ).to.deep.equal(all);
      expect(
        await getIndexes(`templateId=${offer}&batchId=${batchId}`),
      ).to.deep.equal([]);
    });

    it("returns those of a batch while another batch is being accepted", async () => {
      const { read, unitOfWork } = service.store;
      const row = await read.findOneByOrFail(Batch, { id: batchId });
      const id = "batch_0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f";
      Object.assign(row, { id, status: "accepting" });
      await unitOfWork.run((tx) => insertRow(tx, Batch, row));
      const other = await list(`batchId=${id}`);
      const found = await list(`batchId=${batchId}`);
      await unitOfWork.run((tx) => tx.delete(Batch, { id }));
      expect(other.data).to.deep.equal([]);
      expect(found.pagination.total).to.equal(5);
    });

    it("returns those that were created in a period, its ends and days included", async () => {
      const at = new Date("2026-03-04T05:06:07.089Z");
      await service.store.unitOfWork.run((tx) =>
        tx.update(Document, { id: single }, { createdAt: at }),
      );
      for (const period of [
        "createdFrom=2026-03-04&createdTo=2026-03-04",
        "createdFrom=2026-03-04T05:06:07.089Z&createdTo=2026-03-04T05:06:07.089Z",
        "createdTo=2026-03-04T06:06:07.089%2B01:00",
        "createdFrom=2026-03-04T05:06:07&createdTo=2026-03-05",
      ])
        expect(await getIndexes(period), period).to.deep.equal([-1]);
      for (const period of [
        "createdFrom=2026-03-05&createdTo=2026-03-06",
        "createdTo=2026-03-03",
        "createdTo=2026-03-04T05:06:07.088Z",
      ])
        expect(await getIndexes(period), period).to.deep.equal([]);
      expect(await getIndexes("createdFrom=2026-03-05")).to.have.length(5);
    });

    for (const [query, expected] of [
      ["metadata[order]=4711", [0, 2]],
      ["metadata[customer]=Ada", [0]],
      ["metadata[customer]=ada", [1]],
      ["metadata[order]=4711%20", [1]],
      ["metadata[order]=471", []],
      ["metadata[paid]=true", [2]],
      ["metadata[paid]=1", []],
      ["metadata[rate]=1.5", [2]],
      ["metadata[note]=null", [2]],
      ["metadata[nothing]=null", []],
      ["metadata[constructor]=x", []],
      ["metadata[a.b]=x", [3]],
      ["metadata[50%25]=_", [4]],
      [`metadata[${encodeURIComponent('quote"d')}]=va%22l%5Cue`, [3]],
      [
        `metadata[${encodeURIComponent("ключ")}]=${encodeURIComponent("значение")}`,
        [3],
      ],
      ["metadata[order]=4711&metadata[customer]=Ada", [0]],
      ["metadata[order]=4711&metadata[customer]=ada", []],
      ["metadata[order]=4711&status=failed", []],
      ["metadata[batchIndex]=3", [3]],
    ] as const)
      it(`returns exactly those that have ?${query}`, async () => {
        expect(await getIndexes(query)).to.deep.equal(expected);
      });

    it("counts and pages only what it returns", async () => {
      const query = `batchId=${batchId}&status=succeeded&pageSize=3`;
      const first = await list(`${query}&page=1`);
      const second = await list(`${query}&page=2`);
      expect(first.pagination).to.deep.equal({
        page: 1,
        pageSize: 3,
        total: 4,
      });
      expect([first.data.length, second.data.length]).to.deep.equal([3, 1]);
      const ids = [...first.data, ...second.data].map(({ id }) => id);
      expect(new Set(ids).size).to.equal(4);
    });

    for (const [query, problem] of [
      ["status=lost", "status"],
      ["status=failed&status=queued", "status"],
      ["templateId=letter", "templateId: must be a UUID"],
      ["batchId=0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f", "batchId"],
      ["createdFrom=31.12.2026", "createdFrom: must be a day"],
      ["createdFrom=2026-02-30", "createdFrom"],
      ["createdTo=2026-07-31T12:00:00+02:00", "%2B"],
      ["createdFrom=2026-07-02&createdTo=2026-07-01", "must not be before"],
      ["metadata=4711", "metadata"],
      ["metadata[]=4711", "metadata[]"],
      ["metadata[a]=1&metadata[a]=2", "metadata.a: must be a string"],
      ["metadata[a][b]=1", "metadata[a][b]"],
      ["metadata[__proto__]=x", "metadata[__proto__]"],
      ["status[a]=failed", "status"],
      ["order=4711", "order"],
    ] as const)
      it(`rejects ?${query}`, async () => {
        const response = await caller.get(`/api/documents?${query}`);
        expect(response.status).to.equal(400);
        expect(await readError(response)).to.contain(problem);
      });
  });
});
