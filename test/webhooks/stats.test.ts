import { expect } from "chai";
import { describe, it } from "mocha";
import { until } from "../support/eventually.js";
import { TestBatch, useWebhooks, useReceiver } from "../support/webhooks.js";
import { eachDatabase } from "../support/store.js";

eachDatabase((open) => {
  describe("the statistics of deliveries", () => {
    const harness = useWebhooks(open, { schedule: [3_600_000] });
    const receiver = useReceiver();

    it("count deliveries in progress and attempts by outcome", async () => {
      receiver.answer((_arrived, response) => {
        response.writeHead(receiver.received.length === 1 ? 204 : 500).end();
      });
      const organizationId = await harness.newOrganization();
      await harness.endpoint(organizationId, { url: receiver.url });
      const batch = new TestBatch(organizationId);
      await harness.record(
        batch.succeeded(),
        batch.succeeded(),
        batch.completed(),
      );
      const { dispatch } = harness.events;
      const stats = await until("both attempts", async () => {
        const now = await dispatch.stats();
        const isOver = now.attempts.refused === 1 && now.pending === 1;
        return isOver && now.oldestDueSeconds === 0 ? now : null;
      });
      expect(stats).to.deep.equal({
        unrelayed: 0,
        pending: 1,
        held: 1,
        oldestDueSeconds: 0,
        attempts: { delivered: 1, refused: 1, unreachable: 0 },
      });
    });
  });
});
