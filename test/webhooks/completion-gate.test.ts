import { expect } from "chai";
import { afterEach, describe, it } from "mocha";
import { until } from "../support/eventually.js";
import {
  TestBatch,
  useWebhooks,
  answers,
  useReceiver,
} from "../support/webhooks.js";
import { anyDatabase } from "../support/store.js";

const dayMs = 24 * 60 * 60_000;

anyDatabase((open) => {
  describe("a batch's documents.completed", () => {
    const harness = useWebhooks(open, { schedule: [dayMs] });
    const receiver = useReceiver();
    const other = useReceiver();
    afterEach(() => {
      receiver.forget();
      other.forget();
    });

    it("is held at endpoints where a document's delivery is still retried, and only there", async () => {
      const organizationId = await harness.newOrganization();
      const held = await harness.endpoint(organizationId, {
        url: receiver.url,
      });
      await harness.endpoint(organizationId, { url: other.url });
      const events = ["documents.completed"];
      await harness.endpoint(organizationId, {
        url: `${other.url}/few`,
        events,
      });
      receiver.answer(answers(500));
      const [one, two] = [1, 2].map(() => new TestBatch(organizationId));
      if (!one || !two) throw new Error("no batches");
      await harness.record(one.succeeded(), one.completed());
      await other.waitFor(3);
      await receiver.waitFor(1);
      receiver.answer(answers(204));
      await harness.record(two.succeeded(), two.completed());
      await receiver.waitFor(3);
      expect(
        receiver.received.map(({ type, data }) => [type, data.batchId]),
      ).to.deep.equal([
        ["document.succeeded", one.batchId],
        ["document.succeeded", two.batchId],
        ["documents.completed", two.batchId],
      ]);
      const { data } = await harness.events.deliveries.list(
        organizationId,
        held.id,
        { page: 1, pageSize: 10, status: "held" },
      );
      expect(data.map(({ batchId }) => batchId)).to.deep.equal([one.batchId]);
    });
  });

  describe("a hold that exceeds its maximum time", () => {
    const harness = useWebhooks(open, { schedule: [dayMs], maxHoldMs: 1500 });
    const receiver = useReceiver();

    it("ends, and the message lists the pending documents", async () => {
      const organizationId = await harness.newOrganization();
      await harness.endpoint(organizationId, { url: receiver.url });
      receiver.answer(({ type }, response) => {
        response.writeHead(type === "documents.completed" ? 204 : 500).end();
      });
      const batch = new TestBatch(organizationId);
      const event = batch.succeeded();
      await harness.record(event, batch.completed());
      await receiver.waitFor(1);
      const { message } = await until("the hold's end", async () => {
        await harness.sweep();
        const { received } = receiver;
        return (
          received.find(({ type }) => type === "documents.completed") ?? null
        );
      });
      if (event.type !== "document.succeeded") throw new Error(event.type);
      expect(message).to.deep.include({
        holdEnded: true,
        pending: [event.data.documentId],
      });
      expect(message).to.not.have.property("exhausted");
    });
  });
});
