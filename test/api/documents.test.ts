import { expect } from "chai";
import { z } from "zod";
import {
  Batch,
  Document,
  insertRow,
  newId,
} from "../../core/storage/database/index.js";
import { documentCounts } from "../../core/documents/index.js";
import { useApi } from "../support/api.js";
import {
  batchWhen,
  findEvents,
  newBatchCaller,
  sendBatch,
} from "../support/batches.js";
import { replies } from "../support/caller.js";
import { eachDatabase } from "../support/store.js";

/** The metadata of the items of a batch. Item 4 fails. */
const metadata = [
  { order: "4711", customer: "Ada" },
  { order: "4711 ", customer: "ada" },
  { order: 4711, paid: true, rate: 1.5, note: null },
  { "a.b": "x", 'quote"d': 'va"l\\ue', "": "empty", ключ: "значение" },
  { order: { id: "4711" }, list: ["4711"], "50%": "_" },
];

eachDatabase((_open, database) => {
  describe("GET /api/documents", () => {
    const api = useApi({ config: { database }, plan: "premium" });
    let offer: string;
    let batchId: string;
    let first: string;
    const list = async (query = "") =>
      replies.documents(await api.caller.get(`/api/documents?${query}`));
    const listIds = async (query = "") =>
      (await list(query)).data.map(({ id }) => id);
    /** The indexes in the batch; -1 for documents of no batch. */
    const getIndexes = async (query: string) => {
      const { data, pagination } = await list(query);
      expect(pagination.total).to.equal(data.length);
      return data
        .map((document) => Number(document.metadata?.["batchIndex"] ?? -1))
        .toSorted((a, b) => a - b);
    };
    const getPage = async (query: string) =>
      replies.followingDocuments(
        await api.caller.get(`/api/documents?${query}`),
      );
    const walk = async (filter = "", pageSize = 2) => {
      const pages: string[][] = [];
      let after: string | null = "";
      while (after !== null) {
        const query = `after=${after}&pageSize=${pageSize}${filter}`;
        const { data, pagination } = await getPage(query);
        pages.push(data.map(({ id }) => id));
        after = pagination.next;
      }
      return pages;
    };

    before(async () => {
      offer = await api.caller.publish({ name: "Offer" });
      first = (await api.render({ templateId: offer })).document.id;
      // The documents of a batch are all created at the same time.
      const items = metadata.map((each, index) => ({
        metadata: each,
        data: index === 4 ? { prototype: "refused" } : {},
      }));
      const { templateId } = api;
      const body = { templateId, formats: ["html"], items };
      ({ batchId } = await sendBatch(api.caller, body));
      await batchWhen(api.caller, batchId);
      await api.render({ templateId: offer });
    });

    it("returns one page at a time, of all or of what a filter leaves", async () => {
      const ids = await listIds();
      expect(await listIds("page=2&pageSize=5")).to.deep.equal(ids.slice(5));
      expect(await listIds("page=7")).to.deep.equal(ids);
      const filter = `batchId=${batchId}&status=succeeded&pageSize=3`;
      const pages = [await list(filter), await list(`${filter}&page=2`)];
      expect(pages[1]?.pagination).to.deep.equal({
        page: 2,
        pageSize: 3,
        total: 4,
      });
      const found = pages.flatMap(({ data }) => data.map(({ id }) => id));
      expect(new Set(found).size).to.equal(4);
    });

    it("filters by status, template and batch", async () => {
      const all = [0, 1, 2, 3, 4];
      for (const [query, expected] of [
        ["status=failed", [4]],
        ["status=succeeded", [-1, -1, 0, 1, 2, 3]],
        ["status=queued", []],
        [`templateId=${offer}`, [-1, -1]],
        [`batchId=${batchId}`, all],
        [`templateId=${api.templateId}&batchId=${batchId}`, all],
        [`templateId=${offer}&batchId=${batchId}`, []],
      ] as const)
        expect(await getIndexes(query), query).to.deep.equal(expected);
    });

    for (const [query, expected] of [
      ["metadata[order]=4711", [0, 2]],
      ["metadata[customer]=Ada", [0]],
      ["metadata[customer]=ada", [1]],
      ["metadata[quote%22d]=va%22l%5Cue", [3]],
      [`metadata[${encodeURI("ключ")}]=${encodeURI("значение")}`, [3]],
      ["metadata[order]=4711&metadata[customer]=Ada", [0]],
      ["metadata[order]=4711&metadata[customer]=ada", []],
      ["metadata[order]=4711&status=failed", []],
      ["metadata[batchIndex]=3", [3]],
    ] as const)
      it(`returns exactly those that have ?${query}`, async () => {
        expect(await getIndexes(query)).to.deep.equal(expected);
      });

    it("has the same totals when most documents were counted before", async () => {
      await documentCounts.sweep(api.service.store);
      for (const [query, total] of [
        ["", 7],
        ["status=failed", 1],
        [`templateId=${offer}`, 2],
        [`templateId=${offer}&status=failed`, 0],
        [`templateId=${api.templateId}&status=succeeded`, 4],
      ] as const)
        expect((await list(query)).pagination.total, query).to.equal(total);
    });

    it("hides the documents of a batch that is still being accepted", async () => {
      const { read, unitOfWork } = api.service.store;
      const row = await read.findOneByOrFail(Batch, { id: batchId });
      const id = newId("batch");
      const place = { batchId, batchIndex: 0 };
      const document = await read.findOneByOrFail(Document, place);
      const hidden = newId("doc");
      Object.assign(row, { id, status: "accepting" });
      Object.assign(document, { id: hidden, batchId: id, status: "queued" });
      const ids = await listIds();
      await unitOfWork.run(async (tx) => {
        await insertRow(tx, Batch, row);
        await insertRow(tx, Document, document);
      });
      const walked = (await walk()).flat();
      const lists = ["", "status=queued", `batchId=${id}`].map(list);
      const totals = (await Promise.all(lists)).map(
        ({ pagination }) => pagination.total,
      );
      const indexes = await getIndexes(`batchId=${batchId}`);
      await unitOfWork.run(async (tx) => {
        await tx.delete(Document, { id: hidden });
        await tx.delete(Batch, { id });
      });
      expect(walked).to.deep.equal(ids);
      expect(totals).to.deep.equal([7, 0, 0]);
      expect(indexes).to.deep.equal([0, 1, 2, 3, 4]);
    });

    describe("with after", () => {
      it("returns all documents in the order of the list, then null as next", async () => {
        const ids = await listIds();
        const pages = await walk();
        expect(pages.map(({ length }) => length)).to.deep.equal([2, 2, 2, 1]);
        expect(pages.flat()).to.deep.equal(ids);
        expect(await walk("", 7)).to.deep.equal([ids]);
      });

      it("returns what follows a document, without a total", async () => {
        const ids = await listIds();
        for (const [query, data, pagination] of [
          [
            `after=${ids[1]}&pageSize=3`,
            ids.slice(2, 5),
            { pageSize: 3, next: ids[4] },
          ],
          [`after=${ids[1]}`, ids.slice(2), { pageSize: 100, next: null }],
          [`after=${ids[6]}`, [], { pageSize: 100, next: null }],
        ] as const) {
          const page = await getPage(query);
          expect(page.data.map(({ id }) => id)).to.deep.equal(data);
          expect(page.pagination).to.deep.equal(pagination);
        }
      });

      it("applies all filters", async () => {
        const { createdAt } = (await list()).data.at(-2) ?? {};
        for (const [filter, count] of [
          ["&status=succeeded", 6],
          ["&status=failed", 1],
          [`&batchId=${batchId}`, 5],
          [`&templateId=${offer}`, 2],
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
        const { pagination } = await getPage("after=&pageSize=3");
        await api.render();
        const { data } = await getPage(`after=${pagination.next}`);
        expect(data.map(({ id }) => id)).to.deep.equal(ids.slice(3));
      });
    });

    it("returns those that were created in a period, its ends and days included", async () => {
      const createdAt = new Date("2026-03-04T05:06:07.089Z");
      await api.service.store.unitOfWork.run((tx) =>
        tx.update(Document, { id: first }, { createdAt }),
      );
      for (const [period, count] of [
        ["createdFrom=2026-03-04&createdTo=2026-03-04", 1],
        [
          "createdFrom=2026-03-04T05:06:07.089Z&createdTo=2026-03-04T05:06:07.089Z",
          1,
        ],
        ["createdTo=2026-03-04T06:06:07.089%2B01:00", 1],
        ["createdFrom=2026-03-04T05:06:07&createdTo=2026-03-05", 1],
        ["createdFrom=2026-03-05&createdTo=2026-03-06", 0],
        ["createdTo=2026-03-03", 0],
        ["createdTo=2026-03-04T05:06:07.088Z", 0],
        ["createdFrom=2026-03-05", 6],
      ] as const)
        expect(await getIndexes(period), period).to.have.length(count);
    });
  });
});

const template = z.strictObject({
  version: z.number(),
  definitionHash: z.string().regex(/^[0-9a-f]{64}$/),
});
const platenMetadata = z.object({ platen: z.object({ template }) });

function getTemplate({ metadata: of }: { metadata: unknown }) {
  return platenMetadata.parse(of).platen.template;
}

describe("a document's metadata.platen.template", () => {
  const api = useApi();
  let caller: Awaited<ReturnType<typeof newBatchCaller>>;
  let templateId: string;
  beforeEach(async () => {
    caller = await newBatchCaller(api.service);
    templateId = await caller.publish();
  });
  const renderBatch = async (more: object = {}, item: object = {}) => {
    const body = { templateId, formats: ["html"], items: [item], ...more };
    const { batchId } = await sendBatch(caller, body);
    const { documents } = await batchWhen(caller, batchId);
    return documents[0] ?? expect.fail("The batch has no document.");
  };
  const read = async (id: string | null | undefined) =>
    replies.document(await caller.get(`/api/documents/${id}`));

  it("cannot be forged by the metadata of an item, and is not part of webhook messages", async () => {
    const forged = { version: 99, definitionHash: "0".repeat(64) };
    const platen = { template: forged, retryOf: "doc_1", report: null };
    const document = await renderBatch({}, { metadata: { platen, mine: 1 } });
    expect(getTemplate(document).version).to.equal(1);
    expect(document.metadata).to.include({ mine: 1 });
    expect(document.metadata).not.to.have.nested.property("platen.retryOf");
    expect((await read(document.id)).metadata).to.deep.equal(document.metadata);
    const { batchId } = z
      .object({ batchId: z.string() })
      .parse(document.metadata);
    const [event] = await findEvents(api.service, batchId);
    expect(event?.data.metadata).not.to.have.property("platen");
  });
});
