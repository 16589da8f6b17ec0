import { expect } from "chai";
import { before, describe, it } from "mocha";
import {
  Batch,
  Document,
  insertRow,
  insertRows,
  newId,
} from "../../core/storage/database/index.js";
import { batchWhen, newBatchCaller, sendBatch } from "../support/batches.js";
import {
  newCaller,
  readError,
  replies,
  type TestCaller,
} from "../support/caller.js";
import { useService } from "../support/service.js";
import { eachDatabase, publish } from "../support/store.js";

eachDatabase((_open, database) => {
  describe("GET /api/documents?after=", () => {
    const service = useService({ config: { database } });
    let caller: TestCaller;
    let templateId: string;
    let batchId: string;
    const get = async (query: string) =>
      replies.followingDocuments(await caller.get(`/api/documents?${query}`));
    const walk = async (filter = "", pageSize = 2) => {
      const pages: string[][] = [];
      let after: string | null = "";
      while (after !== null) {
        const query = `after=${after}&pageSize=${pageSize}${filter}`;
        const { data, pagination } = await get(query);
        pages.push(data.map(({ id }) => id));
        after = pagination.next;
      }
      return pages;
    };
    const list = async (query = "") =>
      replies.documents(
        await caller.get(`/api/documents?pageSize=100${query}`),
      );
    const listIds = async (query = "") =>
      (await list(query)).data.map(({ id }) => id);
    const render = async () => {
      const body = { templateId, formats: ["html"] };
      const response = await caller.post("/api/export", body);
      return response.headers.get("x-document-id") ?? "";
    };

    before(async () => {
      caller = await newBatchCaller(service);
      templateId = await publish(service.store, caller);
      await render();
      // The documents of a batch are all created at the same time.
      const items = [0, 1, 2, 3, 4].map((index) => ({
        data: index === 2 ? { prototype: "refused" } : {},
      }));
      const body = { templateId, formats: ["html"], items };
      ({ batchId } = await sendBatch(caller, body));
      await batchWhen(caller, batchId);
      await render();
    });

    it("returns all documents in the order of the list, then null as next", async () => {
      const ids = await listIds();
      const pages = await walk();
      expect(pages.map(({ length }) => length)).to.deep.equal([2, 2, 2, 1]);
      expect(pages.flat()).to.deep.equal(ids);
      expect(await walk("", 7)).to.deep.equal([ids]);
    });

    it("returns what follows a document, without a total", async () => {
      const ids = await listIds();
      const { data, pagination } = await get(`after=${ids[1]}&pageSize=3`);
      expect(data.map(({ id }) => id)).to.deep.equal(ids.slice(2, 5));
      expect(pagination).to.deep.equal({ pageSize: 3, next: ids[4] });
      const all = await get(`after=${ids[1]}`);
      expect(all.data.map(({ id }) => id)).to.deep.equal(ids.slice(2));
      expect(all.pagination).to.deep.equal({ pageSize: 100, next: null });
      const none = await get(`after=${ids.at(-1)}`);
      expect(none).to.deep.equal({
        data: [],
        pagination: { pageSize: 100, next: null },
      });
    });

    it("applies all filters", async () => {
      const { data } = await list();
      const { createdAt } = data.at(-2) ?? {};
      for (const [filter, count] of [
        ["&status=succeeded", 6],
        ["&status=failed", 1],
        [`&batchId=${batchId}`, 5],
        [`&templateId=${templateId}`, 7],
        [`&createdFrom=${createdAt}`, 6],
        [`&createdFrom=${createdAt}&createdTo=${createdAt}`, 5],
        [`&createdTo=${createdAt}&status=succeeded`, 5],
        ["&metadata[batchIndex]=3", 1],
      ] as const) {
        const ids = (await walk(filter)).flat();
        expect(ids, filter).to.have.length(count);
        expect(ids, filter).to.deep.equal(await listIds(filter));
      }
    });

    it("neither repeats nor leaves out documents when others are created meanwhile", async () => {
      const ids = await listIds();
      const { pagination } = await get("after=&pageSize=3");
      await render();
      const { data } = await get(`after=${pagination.next}`);
      expect(data.map(({ id }) => id)).to.deep.equal(ids.slice(3));
    });

    it("hides the documents of a batch that is still being accepted", async () => {
      const { read, unitOfWork } = service.store;
      const ids = await listIds();
      const row = await read.findOneByOrFail(Batch, { id: batchId });
      const id = newId("batch");
      const document = await read.findOneByOrFail(Document, {
        batchId,
        batchIndex: 0,
      });
      const hidden = newId("doc");
      Object.assign(row, { id, status: "accepting" });
      Object.assign(document, { id: hidden, batchId: id, status: "queued" });
      await unitOfWork.run(async (tx) => {
        await insertRow(tx, Batch, row);
        await insertRow(tx, Document, document);
      });
      const seen = (await walk()).flat();
      const { pagination } = await list();
      const queued = await list("&status=queued");
      await unitOfWork.run(async (tx) => {
        await tx.delete(Document, { id: hidden });
        await tx.delete(Batch, { id });
      });
      expect(seen).to.deep.equal(ids);
      expect(pagination.total).to.equal(ids.length);
      expect(queued.pagination.total).to.equal(0);
    });

    it("rejects a document of another organization, and one that does not exist", async () => {
      const [id] = await listIds();
      const stranger = await newCaller(service);
      for (const response of [
        await stranger.get(`/api/documents?after=${id}`),
        await caller.get(`/api/documents?after=${newId("doc")}`),
      ]) {
        expect(response.status).to.equal(400);
        expect(await readError(response)).to.contain(
          "after: there is no such document",
        );
      }
    });

    it("rejects what is not the id of a document, and page and after together", async () => {
      const [id] = await listIds();
      const wrong = await caller.get(`/api/documents?after=${batchId}`);
      expect(wrong.status).to.equal(400);
      expect(await readError(wrong)).to.contain("after: must be the id");
      const both = await caller.get(`/api/documents?page=1&after=${id}`);
      expect(both.status).to.equal(400);
      expect(await readError(both)).to.contain(
        "after: cannot be combined with page",
      );
    });
  });

  describe("GET /api/documents of a long list", () => {
    const service = useService({ config: { database } });
    const hourMs = 3_600_000;

    it("returns exact totals by status while documents end and are created", async () => {
      const { read, unitOfWork } = service.store;
      const caller = await newCaller(service);
      const templateId = await publish(service.store, caller);
      const render = () =>
        caller.post("/api/export", { templateId, formats: ["html"] });
      await render();
      const { organizationId } = caller;
      const one = await read.findOneByOrFail(Document, { organizationId });
      const start = Date.now() - 24 * hourMs;
      const rows = Array.from({ length: 20_001 }, (_, index) =>
        Object.assign(new Document(), one, {
          id: newId("doc"),
          status:
            index === 15_000
              ? ("rendering" as const)
              : index % 100 === 1
                ? ("failed" as const)
                : ("succeeded" as const),
          createdAt: new Date(start + index * 1000),
        }),
      );
      await unitOfWork.run((tx) => insertRows(tx, Document, rows));
      const total = async (query: string) => {
        const path = `/api/documents?pageSize=1${query}`;
        return (await replies.documents(await caller.get(path))).pagination
          .total;
      };
      const totals = async () => [
        await total(""),
        await total("&status=succeeded"),
        await total("&status=failed"),
        await total("&status=rendering"),
        await total(`&templateId=${templateId}&status=succeeded`),
      ];
      const expected = [20_002, 19_801, 200, 1, 19_801];
      expect(await totals()).to.deep.equal(expected);
      expect(await totals()).to.deep.equal(expected);
      await unitOfWork.run((tx) =>
        tx.update(Document, { id: rows[15_000]?.id }, { status: "failed" }),
      );
      await render();
      const later = [20_003, 19_802, 201, 0, 19_802];
      expect(await totals()).to.deep.equal(later);
      expect(await totals()).to.deep.equal(later);
    });
  });
});
