import { expect } from "chai";
import { unzipSync } from "fflate";
import { before, describe, it } from "mocha";
import {
  Document,
  SignatureRequest,
} from "../../core/storage/database/index.js";
import { batchWhen, newBatchCaller, sendBatch } from "../support/batches.js";
import type { TestCaller } from "../support/caller.js";
import { useEsign } from "../support/esign.js";
import { eventually } from "../support/eventually.js";
import { publish, anyDatabase } from "../support/store.js";

const definition = {
  schema: [
    {
      id: "root",
      fields: [],
      connection: {
        submitters: [{ role: "Buyer", email: "{{ root.mail }}" }],
      },
    },
  ],
  components: [
    {
      type: "sign-field",
      field: "signature",
      name: "Signature",
      submitter: "Buyer",
    },
  ],
};

anyDatabase((_open, database) => {
  describe("a batch whose documents are sent for signature", () => {
    const harness = useEsign({ config: { database } });
    const { service, memory } = harness;
    let caller: TestCaller;
    let [templateId, esignConnection] = ["", ""];
    before(async () => {
      caller = await newBatchCaller(service);
      esignConnection = await harness.connect(caller);
      templateId = await publish(service.store, caller, { definition });
    });
    const send = (mails: readonly string[]) =>
      sendBatch(caller, {
        templateId,
        formats: ["html"],
        items: mails.map((mail) => ({ data: { mail } })),
        sendForSignature: true,
        esignConnection,
      });
    const requests = (batchId: string) =>
      service.store.read.findBy(SignatureRequest, { batchId });

    it("sends each once, to the signers in its record, and fails a document without a signer at once", async () => {
      const { batchId } = await send(["a@b.example", "nobody", "c@d.example"]);
      const { documents } = await batchWhen(caller, batchId);
      expect(documents.map(({ status }) => status)).to.eql([
        "succeeded",
        "failed",
        "succeeded",
      ]);
      expect(documents[1]?.error).to.include("submitters[0]");
      const sent = await requests(batchId);
      expect(sent.map((one) => one.documentId)).to.have.members(
        [documents[0], documents[2]].map((one) => one?.id),
      );
      const asked = await eventually(async () => {
        const found = sent.flatMap(({ id }) => memory.findSubmissions(id));
        return found.length === 2 && found;
      });
      const mails = asked.flatMap(({ request }) => request.submitters);
      expect(mails.map(({ email }) => email)).to.have.members([
        "a@b.example",
        "c@d.example",
      ]);
    });

    it("keeps the signed files in its archive", async () => {
      const { batchId } = await send(["a@b.example"]);
      await batchWhen(caller, batchId);
      const archive = () => caller.get(`/api/batches/${batchId}/archive`);
      const expiresAt = new Date(0);
      await service.store.unitOfWork.run((tx) =>
        tx.update(Document, { batchId }, { expiresAt }),
      );
      expect((await archive()).status).to.equal(410);
      const [request] = await eventually(async () => {
        const found = await requests(batchId);
        return found.some(({ status }) => status === "pending") && found;
      });
      memory.end(request?.id ?? "", "completed");
      const response = await eventually(async () => {
        const answer = await archive();
        return answer.status === 200 && answer;
      });
      const bytes = new Uint8Array(await response.arrayBuffer());
      expect(Object.keys(unzipSync(bytes))).to.eql([
        "Letter-signed.pdf",
        "Letter-audit.pdf",
      ]);
    });
  });
});
