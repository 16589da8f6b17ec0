import { expect } from "chai";
import {
  Document,
  SignatureRequest,
} from "../../core/storage/database/index.js";
import { fastSettings, useEsign } from "../support/esign.js";
import { replies } from "../support/caller.js";
import { interrupted, eachDatabase } from "../support/store.js";

eachDatabase((open, database) => {
  describe("a document that becomes signed while it is read", () => {
    const signatures = {
      ...fastSettings,
      pollMs: [3_600_000, 3_600_000] as const,
    };
    const harness = useEsign({ config: { database, signatures } });

    it("is not shown as signed without its signed file", async () => {
      const id = await harness.send();
      const { documentId } = await harness.waitForStatus(id, "pending");
      await harness.idle();
      const { store } = harness.service;
      const { outputs } = await store.read.findOneByOrFail(Document, {
        id: documentId,
      });
      const signed = outputs.map((one) => ({ ...one, label: "signed" }));
      const elsewhere = await open();
      const complete = () =>
        elsewhere.unitOfWork.run(async (tx) => {
          await tx.update(SignatureRequest, { id }, { status: "completed" });
          const both = { outputs: [...outputs, ...signed] };
          await tx.update(Document, { id: documentId }, both);
        });
      const document = await interrupted(
        store,
        ["document", "signature_request"],
        complete,
        async () =>
          replies.document(
            await harness.caller.get(`/api/documents/${documentId}`),
          ),
      );
      // The worker may read the document first; then all of the answer is of the time after it.
      const isSigned = document.signature?.status === "completed";
      expect(document.outputs).to.have.length(isSigned ? 2 : 1);
    });
  });
});
