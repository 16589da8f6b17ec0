import { expect } from "chai";
import { describe, it } from "mocha";
import { getTemplateToRender } from "../../core/documents/index.js";
import { RENDER_QUEUED } from "../../core/documents/tokens.js";
import { Deadline } from "../../core/plugin-api/index.js";
import { Document } from "../../core/storage/database/index.js";
import {
  batchWhen,
  newBatchCaller,
  records,
  sendBatch,
} from "../support/batches.js";
import { useService } from "../support/service.js";
import { eachDatabase, publish } from "../support/store.js";

eachDatabase((_open, database) => {
  describe("a document that two workers render, since the first was stalled", () => {
    const service = useService({ config: { database } });

    it("keeps its text when the first finds that the second has recorded it", async () => {
      const { store, container } = service;
      const caller = await newBatchCaller(service);
      const templateId = await publish(store, caller);
      const items = records(1);
      const { batchId } = await sendBatch(caller, {
        templateId,
        formats: ["html"],
        items,
      });
      await batchWhen(caller, batchId);
      const row = await store.read.findOneByOrFail(Document, { batchId });
      const { organizationId } = caller;
      const isRecorded = await container.resolve(RENDER_QUEUED)(
        {
          row,
          data: {},
          platform: null,
          strict: false,
          unknownFields: "allow",
          renderOptions: undefined,
          template: await getTemplateToRender(store.read, {
            organizationId,
            templateId,
          }),
          signing: null,
        },
        { deadline: Deadline.after(60_000), record: async () => false },
      );
      expect(isRecorded).to.equal(false);
      const file = await fetch(row.outputs[0]?.url ?? "");
      expect(file.status).to.equal(200);
    });
  });
});
