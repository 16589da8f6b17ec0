import { expect } from "chai";
import { beforeEach, describe, it } from "mocha";
import { z } from "zod";
import type { documentSchema } from "../../core/api/routes/documents.js";
import {
  batchWhen,
  findEvents,
  newBatchCaller,
  sendBatch,
} from "../support/batches.js";
import { replies, type TestCaller } from "../support/caller.js";
import { exported, useService } from "../support/service.js";
import { definition, anyDatabase, publish } from "../support/store.js";

const metadataSchema = z.object({
  platen: z.object({
    template: z.strictObject({
      version: z.number(),
      definitionHash: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  }),
});

function getTemplate({
  metadata,
}: Pick<z.output<typeof documentSchema>, "metadata">) {
  return metadataSchema.parse(metadata).platen.template;
}

const components = [{ id: "a", type: "text", text: "Other {{ root.name }}" }];
const other = { ...definition, components };

anyDatabase((_open, database) => {
  describe("a document's metadata.platen.template", () => {
    const service = useService({ config: { database } });
    let caller: TestCaller;
    let templateId: string;
    beforeEach(async () => {
      caller = await newBatchCaller(service);
      templateId = await publish(service.store, caller);
    });

    const render = async (more: object = {}) => {
      const body = { templateId, formats: ["html"], data: { name: "Ada" } };
      const { document } = await exported(caller, { ...body, ...more });
      return getTemplate(document);
    };
    const renderBatch = async (more: object = {}, item: object = {}) => {
      const items = [{ data: { name: "Ada" }, ...item }];
      const body = { templateId, formats: ["html"], items, ...more };
      const { batchId } = await sendBatch(caller, body);
      const { documents } = await batchWhen(caller, batchId);
      const [document] = documents;
      if (!document) throw new Error("The batch has no document.");
      return document;
    };
    const redefine = (more: object = {}) =>
      caller.put(`/api/templates/${templateId}/definition`, {
        definition: other,
        ...more,
      });

    it("shows that a single render takes the live definition and a batch the newest version", async () => {
      const first = await render();
      expect(first.version).to.equal(1);
      expect(getTemplate(await renderBatch())).to.deep.equal(first);

      await redefine();
      const live = await render();
      expect(live.version).to.equal(1);
      expect(live.definitionHash).not.to.equal(first.definitionHash);
      expect(await render({ templateVersion: 1 })).to.deep.equal(first);
      expect(getTemplate(await renderBatch())).to.deep.equal(first);

      await redefine({ createVersion: true });
      const second = { ...live, version: 2 };
      expect(await render()).to.deep.equal(second);
      expect(getTemplate(await renderBatch())).to.deep.equal(second);
      const old = await renderBatch({ templateVersion: 1 });
      expect(getTemplate(old)).to.deep.equal(first);
    });

    it("is the same in the list, in the batch and on its own", async () => {
      const document = await renderBatch();
      const listed = await replies.documents(
        await caller.get("/api/documents"),
      );
      const own = await replies.document(
        await caller.get(`/api/documents/${document.id}`),
      );
      expect(own.metadata).to.deep.equal(document.metadata);
      expect(listed.data[0]?.metadata).to.deep.equal(document.metadata);
    });

    it("is there for documents that failed", async () => {
      const data = { name: "Bad", constructor: 1 };
      const document = await renderBatch({}, { data });
      expect(document.status).to.equal("failed");
      expect(getTemplate(document).version).to.equal(1);
      const body = { templateId, formats: ["html"], data: {}, strict: true };
      const response = await caller.post("/api/export", body);
      expect(response.status).to.equal(400);
      const id = response.headers.get("x-document-id");
      const failed = await replies.document(
        await caller.get(`/api/documents/${id}`),
      );
      expect(getTemplate(failed)).to.deep.equal(getTemplate(document));
    });

    it("is there for documents that are still queued", async () => {
      const { batchId } = await sendBatch(caller, {
        templateId,
        formats: ["html"],
        items: [{}],
      });
      const { documents } = await batchWhen(caller, batchId, () => true);
      const [document] = documents;
      expect(document && getTemplate(document).version).to.equal(1);
    });

    it("cannot be forged by the metadata of an item", async () => {
      const template = { version: 99, definitionHash: "0".repeat(64) };
      const platen = { template, retryOf: "doc_1", report: null };
      const metadata = { platen, mine: 1 };
      const document = await renderBatch({}, { metadata });
      expect(getTemplate(document).version).to.equal(1);
      expect(document.metadata).to.include({ mine: 1 });
      expect(document.metadata).not.to.have.nested.property("platen.retryOf");
      const own = await replies.document(
        await caller.get(`/api/documents/${document.id}`),
      );
      expect(own.metadata).to.deep.equal(document.metadata);
    });

    it("is not part of webhook messages, which have the caller's metadata", async () => {
      const document = await renderBatch({}, { metadata: { mine: 1 } });
      const { batchId } = z
        .object({ batchId: z.string() })
        .parse(document.metadata);
      const [event] = await findEvents(service, batchId);
      expect(event?.data.metadata).not.to.have.property("platen");
    });
  });
});
