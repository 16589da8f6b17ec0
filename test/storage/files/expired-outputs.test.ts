import { expect } from "chai";
import { before, describe, it } from "mocha";
import {
  deleteExpiredOutputs,
  newOutputKey,
} from "../../../core/storage/files/index.js";
import { Document, newId } from "../../../core/storage/database/index.js";
import * as tokens from "../../../core/app/tokens.js";
import { newCaller, type TestCaller } from "../../support/caller.js";
import { exported, useService } from "../../support/service.js";
import { eachDatabase, publish } from "../../support/store.js";

const later = new Date("2040-01-01T00:00:00Z");

eachDatabase((_open, database) => {
  describe("files of expired documents", () => {
    const service = useService({ config: { database } });
    let caller: TestCaller;
    let templateId: string;
    const render = async (expiresAt: string) =>
      (await exported(caller, { templateId, formats: ["html"], expiresAt }))
        .document;
    const files = () => service.container.resolve(tokens.FILE_STORE);
    const sweep = () => deleteExpiredOutputs(service.store, files(), later);
    const size = (key = "") => files().size(key);
    const copyOutput = async (row: Document): Promise<Document> => {
      const id = newId("doc");
      const storageKey = newOutputKey(id, "html");
      await files().put(storageKey, Buffer.from("a file"));
      const outputs = row.outputs.map((output) => ({ ...output, storageKey }));
      return Object.assign(new Document(), row, { id, outputs });
    };

    before(async () => {
      caller = await newCaller(service);
      templateId = await publish(service.store, caller);
    });

    it("are deleted while the documents stay unchanged", async () => {
      const over = await render("2039-12-31");
      const valid = await render("2040-01-01T00:00:01Z");
      expect(await sweep()).to.equal(1);
      expect(await size(over.outputs[0]?.storageKey)).to.equal(null);
      expect(await size(valid.outputs[0]?.storageKey)).to.be.above(0);
      const response = await caller.get(`/api/documents/${over.id}`);
      expect(await response.json()).to.deep.equal(over);
      expect(await sweep()).to.equal(0);
    });

    it("are deleted in any number", async () => {
      const { id } = await render("2039-12-31");
      const row = await service.store.read.findOneByOrFail(Document, { id });
      const copies = await Promise.all(
        Array.from({ length: 204 }, () => copyOutput(row)),
      );
      await service.store.unitOfWork.run(async (tx) => {
        await tx.save(copies);
      });
      expect(await sweep()).to.equal(205);
      for (const { outputs } of [row, ...copies])
        expect(await size(outputs[0]?.storageKey)).to.equal(null);
    });
  });
});
