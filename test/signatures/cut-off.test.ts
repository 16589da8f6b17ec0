import { expect } from "chai";
import { describe, it } from "mocha";
import { OutputStore } from "../../core/documents/index.js";
import {
  deleteOrphanedOutputs,
  StoredLinks,
} from "../../core/storage/files/index.js";
import { Document, OutboxEvent } from "../../core/storage/database/index.js";
import { FILE_STORE } from "../../core/lib/process-values.js";
import { useEsign } from "../support/esign.js";
import { anyDatabase } from "../support/store.js";

/** As when the process dies between the file and the row. */
class CutOff extends OutputStore {
  static isOn = false;

  override async save(...given: Parameters<OutputStore["save"]>) {
    const saved = await super.save(...given);
    if (CutOff.isOn) throw new Error("cut off");
    return saved;
  }
}

anyDatabase((_open, database) => {
  describe("signed files that were stored but not recorded", () => {
    const harness = useEsign({
      config: { database },
      replace: (container) =>
        container.register(OutputStore, {
          useFactory: (c) =>
            new CutOff(c.resolve(FILE_STORE), c.resolve(StoredLinks)),
        }),
    });
    const { memory, service } = harness;

    it("are fetched again, and the first ones are deleted", async () => {
      const id = await harness.send();
      const { documentId } = await harness.waitForStatus(id, "pending");
      CutOff.isOn = true;
      memory.end(id, "completed");
      await harness.waitUntil(id, ({ error }) => error !== null);
      CutOff.isOn = false;
      const { outputs, error } = await harness.waitForStatus(id, "completed");
      expect(error).to.equal(null);
      const { read } = service.store;
      const row = await read.findOneByOrFail(Document, { id: documentId });
      expect(row.outputs).to.have.length(1 + outputs.length);
      expect(await read.countBy(OutboxEvent, { documentId })).to.equal(1);
      const later = new Date(Date.now() + 2 * 60 * 60_000);
      const files = service.container.resolve(FILE_STORE);
      const swept = await deleteOrphanedOutputs(read, files, later);
      expect(swept).to.be.above(0);
      for (const { storageKey } of outputs)
        expect(await files.size(storageKey)).to.be.above(0);
    });
  });
});
