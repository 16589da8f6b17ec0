import { expect } from "chai";
import { describe, it } from "mocha";
import { IsNull } from "typeorm";
import { Job, WebhookDelivery } from "../../core/storage/database/index.js";
import { until } from "../support/eventually.js";
import {
  TestBatch,
  useWebhooks,
  answers,
  useReceiver,
} from "../support/webhooks.js";
import { anyDatabase } from "../support/store.js";

const hourMs = 3_600_000;

anyDatabase((open) => {
  describe("a delivery whose job was lost", () => {
    const harness = useWebhooks(open, { schedule: [24 * hourMs] });
    const receiver = useReceiver();

    it("is found by the sweep when it is long overdue", async () => {
      receiver.answer(answers(500));
      const organizationId = await harness.newOrganization();
      const { url } = receiver;
      const endpoint = await harness.endpoint(organizationId, { url });
      await harness.record(new TestBatch(organizationId).succeeded());
      const { id } = await until("the first attempt", () =>
        harness.store.read.findOneBy(WebhookDelivery, {
          endpointId: endpoint.id,
          attempts: 1,
        }),
      );
      const nextAttemptAt = new Date(Date.now() - hourMs);
      await until("the job is at rest", () =>
        harness.store.unitOfWork.run(async (tx) => {
          const { affected } = await tx.delete(Job, {
            rowId: id,
            lockToken: IsNull(),
          });
          return affected === 1;
        }),
      );
      await harness.store.unitOfWork.run(async (tx) => {
        await tx.update(WebhookDelivery, { id }, { nextAttemptAt });
      });
      receiver.forget();
      await harness.sweep();
      const [again] = await receiver.waitFor(1);
      expect(again?.id).to.equal(id);
      const [delivery] = await harness.waitUntilSettled(endpoint);
      expect(delivery).to.include({ status: "delivered", attempts: 2 });
    });
  });
});
