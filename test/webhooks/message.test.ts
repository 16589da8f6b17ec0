import { expect } from "chai";
import { afterEach, describe, it } from "mocha";
import {
  type ServiceEvent,
  webhookEventSchema,
} from "../../core/webhooks/index.js";
import { TestBatch, useWebhooks, useReceiver } from "../support/webhooks.js";
import { anyDatabase } from "../support/store.js";

anyDatabase((open) => {
  describe("a message", () => {
    const harness = useWebhooks(open);
    const receiver = useReceiver();
    afterEach(() => receiver.forget());

    const sent = async (make: (batch: TestBatch) => ServiceEvent) => {
      const organizationId = await harness.newOrganization();
      const input = { url: receiver.url };
      const endpoint = await harness.endpoint(organizationId, input);
      await harness.record(make(new TestBatch(organizationId)));
      await harness.waitUntilSettled(endpoint);
      const [arrived] = receiver.received;
      if (!arrived) throw new Error("nothing arrived");
      return arrived;
    };

    it("leaves out large metadata and lists it as truncated", async () => {
      const { text, data, message } = await sent((batch) =>
        batch.succeeded({ notes: "ß".repeat(10_000) }),
      );
      expect(Buffer.byteLength(text)).to.be.lessThan(20_000);
      expect(message.truncated).to.deep.equal(["metadata"]);
      expect(data.metadata).to.deep.equal({});
      expect(data).to.have.all.keys(
        "documentId",
        "batchId",
        "organizationId",
        "status",
        "outputs",
        "metadata",
        "warningCount",
        "completedAt",
      );
    });

    it("shortens a long error and long lists of outputs", async () => {
      const { text, data, message } = await sent((batch) => {
        const event = batch.succeeded();
        if (event.type !== "document.succeeded") throw new Error(event.type);
        const [output] = event.data.outputs;
        const outputs = Array.from({ length: 200 }, () => ({
          ...output!,
        }));
        return { ...event, data: { ...event.data, outputs } };
      });
      expect(Buffer.byteLength(text)).to.be.lessThan(20_000);
      expect(message.truncated).to.deep.equal(["metadata", "outputs"]);
      expect(data.outputs).to.have.length(20);
    });

    for (const event of ["succeeded", "declined", "completed"] as const)
      it(`is what the reference describes: ${event}`, async () => {
        const { text } = await sent((batch) => batch[event]());
        const message: unknown = JSON.parse(text);
        expect(webhookEventSchema.parse(message)).to.deep.equal(message);
      });

    it("is complete when it fits", async () => {
      const metadata = { notes: "x".repeat(18_000), documentName: "Invoice" };
      const { data, message } = await sent((batch) =>
        batch.succeeded(metadata),
      );
      expect(message).to.not.have.property("truncated");
      expect(data.metadata).to.deep.equal(metadata);
    });
  });
});
