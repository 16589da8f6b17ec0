import { expect } from "chai";
import { useApi } from "../support/api.js";
import { Document, Template } from "../../core/storage/database/index.js";
import { deleteExpiredOutputs } from "../../core/storage/files/index.js";
import { newCaller, replies } from "../support/caller.js";
import { definition, eachDatabase } from "../support/store.js";
import { FILE_STORE } from "../../core/lib/process-values.js";
import { InlineTemplates } from "../../core/templates/index.js";

const later = new Date("2040-01-01T00:00:00Z");
const data = { name: "Ada" };

let number = 0;
/** One that no other test has. */
function newDefinition(): typeof definition & { fileName: string } {
  number += 1;
  return { ...definition, fileName: `File ${number}` };
}

eachDatabase((_open, database) => {
  describe("the template of a definition in an export request", () => {
    const api = useApi({ config: { database } });
    const render = async (body: object = {}) =>
      (await api.render({ definition: newDefinition(), data, ...body }))
        .document;
    const find = async () =>
      (await api.service.store.read.find(Template)).filter(
        ({ inlineHash }) => inlineHash !== null,
      );
    /** Deletes expired files, and then the templates that have none. */
    const sweep = async (now: Date) => {
      const { store, container } = api.service;
      const files = container.resolve(FILE_STORE);
      await deleteExpiredOutputs(store, files, now);
      await container.resolve(InlineTemplates).sweep(now);
    };
    const status = async (templateId: string) =>
      (await api.caller.get(`/api/templates/${templateId}`)).status;

    it("is stored once for each organization, also for requests at the same time, and not when it is faulty", async () => {
      const written = { definition: newDefinition() };
      const earlier = (await find()).length;
      const stranger = await newCaller(api.service);
      const faulty = { schema: [], components: [{ type: "txt" }] };
      expect(await api.refused({ definition: faulty })).to.match(/^400 /);
      const ids = Array.from({ length: 8 }, async (_, index) => {
        const by = index === 7 ? stranger : api.caller;
        return (await api.render(written, by)).headers.get("x-document-id");
      });
      expect(new Set(await Promise.all(ids)).size).to.equal(8);
      expect((await find()).length).to.equal(earlier + 2);
    });

    it("goes with the files of its last document, and comes back with the next request", async () => {
      const written = newDefinition();
      const print = (expiresAt: string) =>
        render({ definition: written, expiresAt });
      const { templateId } = await print("2038-12-31");
      const last = await print("2039-12-31");
      await sweep(new Date("2039-01-01T00:00:00Z"));
      expect(await status(templateId)).to.equal(200);
      await sweep(later);
      expect(await status(templateId)).to.equal(404);
      const row = (await find()).find(({ id }) => id === templateId);
      expect(JSON.stringify(row?.definition)).not.to.include("Hello");
      const left = await replies.document(
        await api.caller.get(`/api/documents/${last.id}`),
      );
      expect(left.templateId).to.equal(templateId);
      expect(await print("2041-01-01")).to.include({ templateId });
      expect(await status(templateId)).to.equal(200);
    });

    it("stays while a document is rendered, and for an hour after its last use", async () => {
      const { id, templateId } = await render({ isTest: true });
      const inline = api.service.container.resolve(InlineTemplates);
      for (const [columns, now, expected] of [
        [{ purgeAt: null }, new Date(), 200],
        [{ status: "rendering" }, later, 200],
        [{ status: "failed" }, later, 404],
      ] as const) {
        await api.service.store.unitOfWork.run((tx) =>
          tx.update(Document, { id }, columns),
        );
        await inline.sweep(now);
        expect(await status(templateId)).to.equal(expected);
      }
    });
  });
});
