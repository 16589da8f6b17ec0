import { expect } from "chai";
import { describe, it } from "mocha";
import { operator } from "../../core/accounts/index.js";
import {
  OutboxEvent,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEndpoint,
} from "../../core/storage/database/index.js";
import {
  TestBatch,
  useWebhooks,
  answers,
  useReceiver,
} from "../support/webhooks.js";
import { eachDatabase } from "../support/store.js";

eachDatabase((open) => {
  describe("data past its retention", () => {
    const harness = useWebhooks(open, {
      schedule: [3_600_000],
      retentionMs: -1,
    });
    const receiver = useReceiver();

    it("is deleted: ended deliveries, their attempts and events, but nothing in progress", async () => {
      const organizationId = await harness.newOrganization();
      const input = { url: receiver.url };
      const done = await harness.endpoint(organizationId, input);
      const batch = new TestBatch(organizationId);
      await harness.record(batch.succeeded());
      await harness.waitUntilSettled(done);
      const { endpoints, dispatch } = harness.events;
      await endpoints.remove(organizationId, done.id, operator);
      const tried = await harness.endpoint(organizationId, input);
      receiver.answer(answers(500));
      await harness.record(batch.succeeded());
      await receiver.waitFor(2);
      const { read } = harness.store;
      await dispatch.deleteOld(new AbortController().signal);
      const left = await read.find(WebhookDelivery);
      expect(left.map(({ endpointId }) => endpointId)).to.deep.equal([
        tried.id,
      ]);
      expect(await read.countBy(OutboxEvent, { organizationId })).to.equal(1);
      const kept = await read.find(WebhookAttempt);
      expect(
        kept.every(({ deliveryId }) => deliveryId === left[0]?.id),
      ).to.equal(true);
      const known = await read.find(WebhookEndpoint);
      expect(known.map(({ id }) => id)).to.deep.equal([tried.id]);
    });
  });
});
