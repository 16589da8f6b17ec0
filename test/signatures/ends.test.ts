import { expect } from "chai";
import {
  OutboxEvent,
  SignatureRequest,
} from "../../core/storage/database/index.js";
import { useEsign } from "../support/esign.js";
import { anyDatabase } from "../support/store.js";

anyDatabase((_open, database) => {
  describe("a request that ends without a signature", () => {
    const harness = useEsign({ config: { database } });
    const { memory } = harness;
    const events = async (documentId: string) => {
      const { read } = harness.service.store;
      const rows = await read.findBy(OutboxEvent, { documentId });
      return rows.map(({ type, data }) => ({ type, ...data }));
    };

    it("is declined with the reason and an event", async () => {
      const id = await harness.send();
      await harness.waitForStatus(id, "pending");
      memory.end(id, "declined", "Too dear.");
      const { submitters, documentId } = await harness.waitForStatus(
        id,
        "declined",
      );
      expect(submitters[0]).to.include({
        status: "declined",
        reason: "Too dear.",
      });
      const [event] = await events(documentId);
      expect(event).to.deep.include({
        type: "signature.declined",
        signatureId: id,
        batchId: null,
        status: "declined",
        outputs: [],
      });
    });

    it("expires at its provider with one event", async () => {
      const id = await harness.send();
      await harness.waitForStatus(id, "pending");
      memory.end(id, "expired");
      const { documentId } = await harness.waitForStatus(id, "expired");
      const reported = await events(documentId);
      expect(reported.map(({ type }) => type)).to.deep.equal([
        "signature.expired",
      ]);
    });

    it("is expired by the service when its provider does not, and is withdrawn there", async () => {
      const id = await harness.send();
      await harness.waitForStatus(id, "pending");
      await harness.service.store.unitOfWork.run((tx) =>
        tx.update(SignatureRequest, { id }, { expiresAt: new Date(0) }),
      );
      await harness.waitForStatus(id, "expired");
      expect(memory.findSubmissions(id)[0]?.status).to.equal("canceled");
    });

    it("is canceled when it was withdrawn at the provider", async () => {
      const id = await harness.send();
      await harness.waitForStatus(id, "pending");
      memory.end(id, "canceled");
      const { documentId } = await harness.waitForStatus(id, "canceled");
      expect(await events(documentId)).to.deep.equal([]);
    });

    it("is canceled when its provider no longer knows it", async () => {
      const id = await harness.send();
      await harness.waitForStatus(id, "pending");
      memory.delete(id);
      const { error } = await harness.waitForStatus(id, "canceled");
      expect(error).to.equal("Memory: There is no such submission.");
    });

    it("fails when its connection is deleted", async () => {
      const other = await harness.connect(harness.caller);
      const id = await harness.send({ options: { esignConnection: other } });
      await harness.waitForStatus(id, "pending");
      await harness.caller.delete(`/api/connections/${other}`);
      const { error } = await harness.waitForStatus(id, "failed");
      expect(error).to.include("connection was deleted");
    });
  });
});
