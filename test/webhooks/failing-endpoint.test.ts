import { expect } from "chai";
import { afterEach, describe, it } from "mocha";
import { operator } from "../../core/accounts/index.js";
import {
  AuditEvent,
  WebhookEndpoint,
} from "../../core/storage/database/index.js";
import {
  TestBatch,
  useWebhooks,
  answers,
  useReceiver,
} from "../support/webhooks.js";
import { anyDatabase } from "../support/store.js";

const dayMs = 24 * 60 * 60_000;

anyDatabase((open) => {
  describe("an endpoint that has failed every attempt", () => {
    const harness = useWebhooks(open, { schedule: [] });
    const receiver = useReceiver();
    afterEach(() => receiver.forget());

    /** One failed attempt, and a record that the failures began so long ago; then another event. */
    const failing = async (days: number) => {
      receiver.answer(answers(500));
      const organizationId = await harness.newOrganization();
      const input = { url: receiver.url };
      const endpoint = await harness.endpoint(organizationId, input);
      await harness.record(new TestBatch(organizationId).succeeded());
      await harness.waitUntilSettled(endpoint);
      const { id } = endpoint;
      const failingSince = new Date(Date.now() - days * dayMs);
      await harness.store.unitOfWork.run(async (tx) => {
        await tx.update(WebhookEndpoint, { id }, { failingSince });
      });
      return { organizationId, id };
    };
    const next = async (endpoint: { organizationId: string; id: string }) => {
      const { organizationId, id } = endpoint;
      const count = receiver.received.length + 1;
      await harness.record(new TestBatch(organizationId).succeeded());
      await receiver.waitFor(count);
      await harness.waitUntilSettled(endpoint);
      return harness.events.endpoints.get(organizationId, id);
    };

    it("for five days is disabled with the reason, also in the audit log", async () => {
      const endpoint = await failing(5.01);
      const { isEnabled, disabledReason } = await next(endpoint);
      expect(isEnabled).to.equal(false);
      expect(disabledReason).to.equal("Every attempt failed for 5 days.");
      const note = await harness.store.read.findOneByOrFail(AuditEvent, {
        subject: endpoint.id,
        action: "webhook.disabled",
      });
      expect(note).to.include({ origin: "service", userId: null });
    });

    it("for less is retried, and one success clears its failures", async () => {
      const endpoint = await failing(4.9);
      expect(await next(endpoint)).to.include({ isEnabled: true });
      receiver.answer(answers(200));
      const cleared = await next(endpoint);
      expect(cleared).to.include({ isEnabled: true, failingSince: null });
    });

    it("starts without failures when it is enabled again", async () => {
      const endpoint = await failing(6);
      await next(endpoint);
      const { organizationId, id } = endpoint;
      const on = { isEnabled: true };
      const { endpoints } = harness.events;
      await endpoints.change(organizationId, id, on, operator);
      expect(await next(endpoint)).to.include({ isEnabled: true });
    });
  });
});
