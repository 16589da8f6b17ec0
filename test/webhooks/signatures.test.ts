import { expect } from "chai";
import { describe, it } from "mocha";
import { TestBatch, useWebhooks, useReceiver } from "../support/webhooks.js";
import { anyDatabase } from "../support/store.js";

anyDatabase((open) => {
  describe("a signature's event", () => {
    const harness = useWebhooks(open, { schedule: [60 * 60_000] });
    const receiver = useReceiver();

    it("does not delay its batch's completion, and is not delayed by it", async () => {
      const organizationId = await harness.newOrganization();
      await harness.endpoint(organizationId, { url: receiver.url });
      receiver.answer(({ type }, response) => {
        response.writeHead(type === "signature.declined" ? 500 : 204).end();
      });
      const batch = new TestBatch(organizationId);
      await harness.record(batch.declined());
      await receiver.waitFor(1);
      await harness.record(batch.succeeded(), batch.completed());
      const [first, , last] = await receiver.waitFor(3);
      expect(first?.type).to.equal("signature.declined");
      expect(last).to.deep.include({ type: "documents.completed" });
      expect(last?.message).not.to.have.any.keys("exhausted", "pending");
    });

    it("of a document without a batch is sent", async () => {
      const organizationId = await harness.newOrganization();
      const endpoint = await harness.endpoint(organizationId, {
        url: receiver.url,
        events: ["signature.declined"],
      });
      receiver.forget();
      await harness.record(new TestBatch(organizationId).declined(null));
      await harness.waitUntilSettled(endpoint);
      expect(receiver.received[0]?.data).to.include({ batchId: null });
    });
  });
});
