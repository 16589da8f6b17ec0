import { expect } from "chai";
import {
  Batch,
  Document,
  DocumentRecord,
} from "../../core/storage/database/index.js";
import { newBatchCaller, sendBatch } from "../support/batches.js";
import { readError, type TestCaller } from "../support/caller.js";
import { toSchema } from "../support/schema.js";
import { useService } from "../support/service.js";
import { anyDatabase, publish } from "../support/store.js";

const schema = toSchema({
  root: "number String, due Date, l OneToManyLink line",
  line: "v Number",
});
const definition = {
  schema,
  components: [{ type: "text", text: "{{ root.number }}" }],
};
const good = { number: "1", due: "2026-12-31", l: [{ v: 1 }] };

const misfit =
  "The batch was not accepted because validate is true and its data does not fit version 1 of the template.";
const useIso = 'Use ISO 8601, such as "2026-12-31" or "2026-12-31T12:00:00Z"';

anyDatabase((_open, database) => {
  describe("a batch with validate", () => {
    const service = useService({ config: { database }, role: "serve" });
    let caller: TestCaller;
    let body: { templateId: string; formats: string[]; validate: boolean };
    before(async () => {
      caller = await newBatchCaller(service);
      const templateId = await publish(service.store, caller, { definition });
      body = { templateId, formats: ["html"], validate: true };
    });

    async function rejection(request: object): Promise<string> {
      const response = await caller.post("/api/export/batch", request);
      expect(response.status).to.equal(400);
      return readError(response);
    }

    async function countRows(): Promise<number[]> {
      const { read } = service.store;
      const tables = [Batch, Document, DocumentRecord];
      return Promise.all(tables.map((table) => read.count(table)));
    }

    it("is a 400 that lists the problems of all items, and nothing is stored", async () => {
      const stored = await countRows();
      const items = [
        { data: good },
        { data: { ...good, due: "31.12.2026" } },
        {},
        { data: { ...good, l: [{ v: "12,50" }, { v: 1 }, { v: true }] } },
        { data: { ...good, l: { v: 1 } } },
      ];
      const error = await rejection({ ...body, items });
      expect(error).to.equal(
        `${misfit} $.items[1].data.due: Expected a date, found the text "31.12.2026". ${useIso}; ` +
          '$.items[3].data.l[0].v: Expected a number, found the text "12,50". Send a JSON number, with a point before ' +
          "the decimals and no separators, such as 1234.5; $.items[3].data.l[2].v: Expected a number, found true; " +
          "$.items[4].data.l: Expected an array of objects, found an object.",
      );
      expect(await countRows()).to.deep.equal(stored);
      await sendBatch(caller, { ...body, validate: false, items });
    });

    it("names the list as the request does, and checks items whatever the order of the fields in the body", async () => {
      const items = [{ data: { due: "soon" } }];
      const { templateId, ...rest } = body;
      for (const [request, path] of [
        [{ documents: items, ...body }, "$.documents[0].data.due"],
        [{ items, ...rest, templateId }, "$.items[0].data.due"],
      ] as const)
        expect(await rejection(request)).to.equal(
          `${misfit} ${path}: Expected a date, found the text "soon". ${useIso}.`,
        );
    });

    it("checks against the version that the batch uses, not against the live definition", async () => {
      const templateId = await publish(service.store, caller, { definition });
      const [root] = schema;
      const fields = [{ name: "due", type: "String" }];
      const live = { ...definition, schema: [{ ...root, fields }] };
      const put = (more: object) =>
        caller.put(`/api/templates/${templateId}/definition`, {
          definition: live,
          ...more,
        });
      const items = [{ data: { due: "soon" } }];
      const request = { ...body, templateId, items };
      expect((await put({})).status).to.equal(200);
      expect(await rejection(request)).to.contain(misfit);
      expect((await put({ createVersion: true })).status).to.equal(200);
      await sendBatch(caller, request);
      const old = { ...request, templateVersion: 1 };
      expect(await rejection(old)).to.contain("$.items[0].data.due");
    });
  });
});
