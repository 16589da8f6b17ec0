import { expect } from "chai";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, describe, it } from "mocha";
import { operator } from "../../core/accounts/index.js";
import {
  Job,
  WebhookAttempt,
  WebhookDelivery,
} from "../../core/storage/database/index.js";
import { until } from "../support/eventually.js";
import { TestBatch, useReceiver, useWebhooks } from "../support/webhooks.js";
import { eachDatabase } from "../support/store.js";

const count = 120;

eachDatabase((open) => {
  describe("a receiver that answers at once", () => {
    const harness = useWebhooks(open, { perEndpoint: 2, schedule: [1, 1] });
    const receiver = useReceiver();
    afterEach(() => receiver.forget());

    const begin = async () => {
      const organizationId = await harness.newOrganization();
      const { url } = receiver;
      const endpoint = await harness.endpoint(organizationId, { url });
      const batch = new TestBatch(organizationId);
      const events = Array.from({ length: count }, () => batch.succeeded());
      await harness.record(...events, batch.completed(count));
      return endpoint;
    };
    const countAttempts = async (deliveryIds: readonly string[]) => {
      const attempts = await harness.store.read.find(WebhookAttempt);
      return attempts.filter((one) => deliveryIds.includes(one.deliveryId))
        .length;
    };

    it("gets each of many messages once, no more at a time than an endpoint may, and the batch's end last", async () => {
      let running = 0;
      let max = 0;
      receiver.answer(async (_arrived, response) => {
        running += 1;
        max = Math.max(max, running);
        // The first waits for a second, and both for a third that may come.
        await until("a second message arrives", () => max >= 2);
        await nextTurn();
        running -= 1;
        response.writeHead(200).end();
      });
      const rows = await harness.waitUntilSettled(await begin());
      expect(rows.map(({ status, attempts }) => [status, attempts]))
        .to.have.length(count + 1)
        .and.deep.equal(rows.map(() => ["delivered", 1]));
      const ids = rows.map(({ id }) => id);
      expect(receiver.received.map(({ id }) => id)).to.have.members(ids);
      expect(receiver.received.at(-1)?.type).to.equal("documents.completed");
      expect(max).to.equal(2);
      expect(await countAttempts(ids)).to.equal(count + 1);
      const jobs = { kind: "webhook" };
      await until("every job is done", async () => {
        return (await harness.store.read.countBy(Job, jobs)) === 0;
      });
    });

    it("and refuses some messages gets these again, and the others once", async () => {
      const refused = new Set<string>();
      receiver.answer(({ id }, response) => {
        const isRefused =
          receiver.received.length % 7 === 0 && !refused.has(id);
        if (isRefused) refused.add(id);
        response.writeHead(isRefused ? 500 : 200).end();
      });
      const rows = await harness.waitUntilSettled(await begin());
      expect(refused.size).to.be.greaterThan(5);
      expect(
        rows.map(({ id, status, attempts }) => [id, status, attempts]),
      ).to.deep.equal(
        rows.map(({ id }) => [id, "delivered", refused.has(id) ? 2 : 1]),
      );
    });

    it("gets no more messages soon after its owner has disabled it", async () => {
      let ids: { organizationId: string; id: string } | null = null;
      let disabledAt = Infinity;
      receiver.answer(async (_arrived, response) => {
        if (receiver.received.length === 20 && ids) {
          const { organizationId, id } = ids;
          const off = { isEnabled: false };
          const { endpoints } = harness.events;
          await endpoints.change(organizationId, id, off, operator);
          disabledAt = receiver.received.length;
        }
        // All messages together take longer than the service uses what it has read of the endpoint.
        await new Promise((resolve) => setTimeout(resolve, 10));
        response.writeHead(200).end();
      });
      ids = await begin();
      const rows = await harness.waitUntilSettled(ids);
      const sent = rows.filter(({ status }) => status === "delivered");
      expect(sent.length).to.be.within(20, 80);
      expect(disabledAt).to.be.lessThan(80);
      expect(receiver.received).to.have.length(sent.length);
    });
  });

  describe("a delivery that was recorded by another process, among many", () => {
    const harness = useWebhooks(open, { perEndpoint: 1 });
    const receiver = useReceiver();

    it("is not recorded again, and the others are recorded", async () => {
      const store = await open();
      let overtaken = "";
      receiver.answer(async ({ id }, response) => {
        if (receiver.received.length === 10) {
          overtaken = id;
          await store.unitOfWork.run((tx) =>
            tx.update(WebhookDelivery, { id }, { attempts: 1, tries: 1 }),
          );
        }
        response.writeHead(200).end();
      });
      const organizationId = await harness.newOrganization();
      const { url } = receiver;
      const endpoint = await harness.endpoint(organizationId, { url });
      const batch = new TestBatch(organizationId);
      await harness.record(
        ...Array.from({ length: 40 }, () => batch.succeeded()),
      );
      const rows = await harness.waitUntilSettled(endpoint);
      expect(rows.map(({ id, attempts }) => [id, attempts])).to.deep.equal(
        rows.map(({ id }) => [id, id === overtaken ? 2 : 1]),
      );
      expect(receiver.received).to.have.length(41);
    });
  });
});
