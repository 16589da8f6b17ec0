import { expect } from "chai";
import { afterEach, describe, it } from "mocha";
import { WebhookDelivery } from "../../core/storage/database/index.js";
import { TestBatch, useWebhooks, useReceiver } from "../support/webhooks.js";
import { eachDatabase } from "../support/store.js";

eachDatabase((open) => {
  describe("an attempt made while another process recorded one", () => {
    const harness = useWebhooks(open);
    const receiver = useReceiver();
    afterEach(() => receiver.forget());

    for (const status of [410, 500, 200])
      it(`with the response ${status} is not recorded, and the delivery continues`, async () => {
        const store = await open();
        receiver.answer(async ({ id }, response) => {
          receiver.answer((_arrived, next) => {
            next.writeHead(204).end();
          });
          // As a process that had stalled beyond its lease would: its own job is another's by now.
          await store.unitOfWork.run((tx) =>
            tx.update(WebhookDelivery, { id }, { attempts: 1, tries: 1 }),
          );
          response.writeHead(status).end();
        });
        const organizationId = await harness.newOrganization();
        const endpoint = await harness.endpoint(organizationId, {
          url: receiver.url,
        });
        await harness.record(new TestBatch(organizationId).succeeded());
        const [row] = await harness.waitUntilSettled(endpoint);
        expect(row?.status).to.equal("delivered");
        expect(row?.attempts).to.equal(2);
        expect(receiver.received).to.have.length(2);
      });
  });
});
