import { expect } from "chai";
import { describe, it } from "mocha";
import {
  newId,
  WebhookAttempt,
  WebhookDelivery,
} from "../../core/storage/database/index.js";
import { until } from "../support/eventually.js";
import {
  TestBatch,
  useWebhooks,
  answers,
  useReceiver,
} from "../support/webhooks.js";
import { interrupted, eachDatabase } from "../support/store.js";

eachDatabase((open) => {
  describe("a delivery that another process attempts while it is read", () => {
    const harness = useWebhooks(open, { schedule: [24 * 3_600_000] });
    const receiver = useReceiver();

    it("is returned as one consistent snapshot with its attempts", async () => {
      receiver.answer(answers(500));
      const organizationId = await harness.newOrganization();
      const { url } = receiver;
      const endpoint = await harness.endpoint(organizationId, { url });
      await harness.record(new TestBatch(organizationId).succeeded());
      const first = await until("the first attempt", () =>
        harness.store.read.findOneBy(WebhookAttempt, { number: 1 }),
      );
      const { deliveryId: id } = first;
      const elsewhere = await open();
      const again = () =>
        elsewhere.unitOfWork.run(async (tx) => {
          await tx.update(WebhookDelivery, { id }, { attempts: 2, tries: 2 });
          const second = { id: newId(), number: 2 };
          await tx.insert(WebhookAttempt, Object.assign(first, second));
        });
      const { attemptCount, attempts } = await interrupted(
        harness.store,
        ["webhook_delivery", "webhook_attempt"],
        again,
        () => harness.events.deliveries.get(organizationId, endpoint.id, id),
      );
      expect(attemptCount).to.equal(1);
      expect(attempts).to.have.length(1);
    });
  });
});
