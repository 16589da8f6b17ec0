import { expect } from "chai";
import { OutputStore } from "../../core/documents/index.js";
import { PlatformError } from "../../core/plugin-api/index.js";
import {
  deleteExpiredOutputs,
  deleteOrphanedOutputs,
  StoredLinks,
} from "../../core/storage/files/index.js";
import {
  Document,
  KeptFile,
  OutboxEvent,
  SignatureRequest,
} from "../../core/storage/database/index.js";
import { FILE_STORE } from "../../core/lib/process-values.js";
import { replies } from "../support/caller.js";
import { useEsign } from "../support/esign.js";
import { anyDatabase } from "../support/store.js";

const day = 24 * 60 * 60_000;

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
  describe("the files around a signature", () => {
    const harness = useEsign({
      config: { database },
      replace: (container) =>
        container.register(OutputStore, {
          useFactory: (c) =>
            new CutOff(c.resolve(FILE_STORE), c.resolve(StoredLinks)),
        }),
    });
    const { memory, service } = harness;
    const files = () => service.container.resolve(FILE_STORE);
    const sweep = async (days: number) => {
      const now = new Date(Date.now() + days * day);
      await deleteExpiredOutputs(service.store, files(), now);
      await deleteOrphanedOutputs(service.store.read, files(), now);
    };
    const refuse = (refused: "start" | "download") => {
      memory.beforeCall = (call) => {
        if (call !== refused) return;
        const code = call === "start" ? "rate_limited" : "unavailable";
        throw new PlatformError(code, "Not ready yet.");
      };
    };
    const getSource = async (id: string) => {
      const { read } = service.store;
      const row = await read.findOneByOrFail(SignatureRequest, { id });
      return row.source?.storageKey ?? "";
    };
    const pending = async () => {
      const id = await harness.send();
      return harness.waitForStatus(id, "pending");
    };

    it("are the signed file and the audit trail, which the document has among its outputs", async () => {
      const { id, externalId, submitters } = await pending();
      expect(submitters[0]).to.include({
        role: "Buyer",
        status: "sent",
        url: `https://sign.test/${externalId}/Buyer`,
      });
      memory.end(id, "completed");
      const signed = await harness.waitForStatus(id, "completed");
      const { outputs, documentId } = signed;
      expect(outputs.map(({ label }) => label)).to.deep.equal([
        "signed",
        "audit",
      ]);
      expect(signed.submitters[0]?.status).to.equal("completed");
      const download = await fetch(outputs[0]?.url ?? "");
      expect(await download.text()).to.equal("%PDF-signed");
      expect(download.headers.get("content-disposition")).to.include(
        "-signed.pdf",
      );
      const document = await replies.document(
        await harness.caller.get(`/api/documents/${documentId}`),
      );
      expect(document.signature).to.include({ id, status: "completed" });
      expect(document.outputs).to.deep.include.members(outputs);
    });

    it("are fetched again later when the provider is still creating them, and the signers are shown as done meanwhile", async () => {
      const { id } = await pending();
      refuse("download");
      memory.end(id, "completed");
      const { status, submitters } = await harness.waitUntil(
        id,
        ({ error }) => error !== null,
      );
      expect(status).to.equal("pending");
      expect(submitters[0]?.status).to.equal("completed");
      memory.reset();
      const { outputs } = await harness.waitForStatus(id, "completed");
      expect(outputs).to.have.length(2);
    });

    it("are fetched again when they were stored but not recorded, and the first ones are deleted", async () => {
      const { id, documentId } = await pending();
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
      const swept = await deleteOrphanedOutputs(read, files(), later);
      expect(swept).to.be.above(0);
      for (const { storageKey } of outputs)
        expect(await files().size(storageKey)).to.be.above(0);
    });

    it("outlive the document's other files when they are signed", async () => {
      const { id, documentId } = await pending();
      await sweep(2);
      memory.end(id, "completed");
      const { outputs } = await harness.waitForStatus(id, "completed");
      const sizes = () =>
        Promise.all(outputs.map((one) => files().size(one.storageKey)));
      await sweep(364);
      expect(await sizes()).to.deep.equal([11, 10]);
      await sweep(366);
      expect(await sizes()).to.deep.equal([null, null]);
      const kept = { documentId };
      expect(await service.store.read.countBy(KeptFile, kept)).to.equal(0);
    });

    it("are the PDF to sign until it is sent, and no longer", async () => {
      refuse("start");
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

    it("fail the request when the PDF to sign was removed", async () => {
      refuse("start");
      const id = await harness.send();
      await files().delete(await getSource(id));
      const { error } = await harness.waitForStatus(id, "failed");
      expect(error).to.include("no longer in the file store");
    });
  });
});
