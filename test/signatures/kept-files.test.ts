import { expect } from "chai";
import { describe, it } from "mocha";
import { PlatformError } from "../../core/plugin-api/index.js";
import {
  deleteExpiredOutputs,
  deleteOrphanedOutputs,
} from "../../core/storage/files/index.js";
import {
  KeptFile,
  SignatureRequest,
} from "../../core/storage/database/index.js";
import { FILE_STORE } from "../../core/lib/process-values.js";
import { useEsign } from "../support/esign.js";
import { anyDatabase } from "../support/store.js";

const day = 24 * 60 * 60_000;

anyDatabase((_open, database) => {
  describe("files around a signature", () => {
    const harness = useEsign({ config: { database } });
    const { memory, service } = harness;
    const files = () => service.container.resolve(FILE_STORE);
    const sweep = async (days: number) => {
      const now = new Date(Date.now() + days * day);
      await deleteExpiredOutputs(service.store, files(), now);
      await deleteOrphanedOutputs(service.store.read, files(), now);
    };
    const notYet = () => {
      memory.beforeCall = (call) => {
        if (call === "start") throw new PlatformError("rate_limited", "Later.");
      };
    };
    const getSource = async (id: string) => {
      const { read } = service.store;
      const row = await read.findOneByOrFail(SignatureRequest, { id });
      return row.source?.storageKey ?? "";
    };

    it("the PDF to sign is kept until it is sent, and no longer", async () => {
      notYet();
      const id = await harness.send();
      const key = await getSource(id);
      await sweep(2);
      expect(await files().size(key)).to.be.above(0);
      memory.reset();
      await harness.waitForStatus(id, "pending");
      expect(
        memory.findSubmissions(id)[0]?.request.pdf.bytes.toString(),
      ).to.equal("%PDF-unsigned");
      await sweep(2);
      expect(await files().size(key)).to.equal(null);
    });

    it("signed files outlive the document's other files", async () => {
      const id = await harness.send();
      await harness.waitForStatus(id, "pending");
      await sweep(2);
      memory.end(id, "completed");
      const { outputs } = await harness.waitForStatus(id, "completed");
      const sizes = () =>
        Promise.all(outputs.map((one) => files().size(one.storageKey)));
      await sweep(364);
      expect(await sizes()).to.deep.equal([11, 10]);
      await sweep(366);
      expect(await sizes()).to.deep.equal([null, null]);
      const { documentId } = await harness.get(id);
      const kept = { documentId };
      expect(await service.store.read.countBy(KeptFile, kept)).to.equal(0);
    });

    it("a request whose PDF was removed fails with that reason", async () => {
      notYet();
      const id = await harness.send();
      await files().delete(await getSource(id));
      const { error } = await harness.waitForStatus(id, "failed");
      expect(error).to.include("no longer in the file store");
    });
  });
});
