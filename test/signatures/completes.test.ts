import { expect } from "chai";
import { describe, it } from "mocha";
import { replies } from "../support/caller.js";
import { useEsign } from "../support/esign.js";
import { anyDatabase } from "../support/store.js";

anyDatabase((_open, database) => {
  describe("a document that is signed", () => {
    const harness = useEsign({ config: { database } });
    const { memory } = harness;

    it("is sent, and its signed file and audit trail are stored", async () => {
      const id = await harness.send();
      const pending = await harness.waitForStatus(id, "pending");
      expect(pending.submitters[0]).to.include({
        role: "Buyer",
        status: "sent",
        url: `https://sign.test/${pending.externalId}/Buyer`,
      });
      memory.end(id, "completed");
      const { outputs, ...signed } = await harness.waitForStatus(
        id,
        "completed",
      );
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
    });

    it("has the files among its outputs and shows its request", async () => {
      const id = await harness.send();
      memory.end((await harness.waitForStatus(id, "pending")).id, "completed");
      const { documentId, outputs } = await harness.waitForStatus(
        id,
        "completed",
      );
      const document = await replies.document(
        await harness.caller.get(`/api/documents/${documentId}`),
      );
      expect(document.signature).to.include({ id, status: "completed" });
      expect(document.outputs).to.deep.include.members(outputs);
    });
  });
});
