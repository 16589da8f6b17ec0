import { once } from "node:events";
import { expect } from "chai";
import { afterEach, describe, it } from "mocha";
import { until } from "../support/eventually.js";
import { operator } from "../../core/accounts/index.js";
import { getRejection } from "../lib/outbound/outbound-calls.js";
import {
  TestBatch,
  useWebhooks,
  answers,
  useReceiver,
} from "../support/webhooks.js";
import { anyDatabase } from "../support/store.js";

const long = { since: new Date(0), until: new Date("2999-01-01") };

anyDatabase((open) => {
  describe("a replay", () => {
    const harness = useWebhooks(open, { schedule: [] });
    const receiver = useReceiver();
    afterEach(() => receiver.forget());

    /** Two documents and the end of their batch; the first document is refused. */
    const begin = async () => {
      const organizationId = await harness.newOrganization();
      const input = { url: receiver.url };
      const endpoint = await harness.endpoint(organizationId, input);
      const batch = new TestBatch(organizationId);
      receiver.answer((_arrived, response) => {
        response.writeHead(receiver.received.length === 1 ? 500 : 204).end();
      });
      await harness.record(
        batch.succeeded(),
        batch.succeeded(),
        batch.completed(2),
      );
      await harness.waitUntilSettled(endpoint);
      return { organizationId, id: endpoint.id };
    };

    it("of one delivery sends the same message with the same id and a new retry schedule", async () => {
      const { organizationId, id } = await begin();
      const [first] = receiver.received;
      const { deliveries } = harness.events;
      await deliveries.replay(organizationId, id, first?.id ?? "");
      await receiver.waitFor(4);
      await harness.waitUntilSettled({ id });
      const again = receiver.received[3];
      expect(again?.id).to.equal(first?.id);
      expect(again?.text).to.equal(first?.text);
      const read = await deliveries.get(organizationId, id, first?.id ?? "");
      expect(read).to.include({ status: "delivered", lastError: null });
      expect(read.attempts.map(({ number }) => number)).to.deep.equal([1, 2]);
    });

    it("of a time range sends everything again, the batch's completion last", async () => {
      const { organizationId, id } = await begin();
      const before = receiver.received.map((arrived) => arrived.id);
      receiver.forget();
      const { deliveries } = harness.events;
      const done = await deliveries.replayRange(organizationId, id, long);
      expect(done).to.deep.equal({ count: 3 });
      await harness.waitUntilSettled({ id });
      const ids = receiver.received.map((arrived) => arrived.id);
      expect(ids).to.have.members(before).and.have.length(3);
      const last = receiver.received[2];
      expect(last?.type).to.equal("documents.completed");
      expect(last?.message).to.not.have.property("exhausted");
    });

    it("of exhausted deliveries sends only those", async () => {
      const { organizationId, id } = await begin();
      const [first] = receiver.received;
      const { deliveries } = harness.events;
      const range = { ...long, status: "exhausted" } as const;
      const done = await deliveries.replayRange(organizationId, id, range);
      expect(done).to.deep.equal({ count: 1 });
      await receiver.waitFor(4);
      expect(receiver.received[3]?.id).to.equal(first?.id);
      const none = { since: new Date("2998-01-01"), until: long.until };
      const empty = await deliveries.replayRange(organizationId, id, none);
      expect(empty).to.deep.equal({ count: 0 });
    });

    it("is rejected while the endpoint is disabled", async () => {
      const { organizationId, id } = await begin();
      const { deliveries, endpoints } = harness.events;
      const off = { isEnabled: false };
      await endpoints.change(organizationId, id, off, operator);
      const first = receiver.received[0]?.id ?? "";
      for (const rejected of [
        deliveries.replay(organizationId, id, first),
        deliveries.replayRange(organizationId, id, long),
      ])
        expect(await getRejection(rejected)).to.include({ code: "conflict" });
    });
  });

  describe("a replay of a delivery that has not ended", () => {
    const harness = useWebhooks(open, { schedule: [24 * 60 * 60_000] });
    const receiver = useReceiver();
    afterEach(() => receiver.forget());

    const begin = async (
      makeEvents: (batch: TestBatch) => Parameters<typeof harness.record>,
    ) => {
      const organizationId = await harness.newOrganization();
      const input = { url: receiver.url };
      const { id } = await harness.endpoint(organizationId, input);
      await harness.record(...makeEvents(new TestBatch(organizationId)));
      const [arrived] = await receiver.waitFor(1);
      const { deliveries } = harness.events;
      const deliveryId = arrived?.id ?? "";
      return {
        id,
        read: () => deliveries.get(organizationId, id, deliveryId),
        replay: () => deliveries.replay(organizationId, id, deliveryId),
        list: () =>
          deliveries.list(organizationId, id, { page: 1, pageSize: 10 }),
      };
    };

    it("sends it now if it waits for its next attempt", async () => {
      receiver.answer(answers(500));
      const { read, replay } = await begin((batch) => [batch.succeeded()]);
      await until("it waits", async () => (await read()).attemptCount === 1);
      receiver.answer(answers(204));
      const replayed = await replay();
      expect(replayed).to.include({ status: "pending", attemptCount: 1 });
      await receiver.waitFor(2);
      await until(
        "it has ended",
        async () => (await read()).completedAt !== null,
      );
      const ended = await read();
      expect(ended).to.include({ status: "delivered", attemptCount: 2 });
      expect(receiver.received[1]?.id).to.equal(receiver.received[0]?.id);
    });

    it("sends a batch's completion now", async () => {
      receiver.answer(answers(500));
      const { read, replay } = await begin((batch) => [batch.completed(0)]);
      await until("it waits", async () => (await read()).attemptCount === 1);
      receiver.answer(answers(204));
      expect(await replay()).to.include({ status: "pending" });
      await until(
        "it has ended",
        async () => (await read()).completedAt !== null,
      );
      expect(await read()).to.include({ status: "delivered" });
    });

    it("starts the retry schedule again", async () => {
      receiver.answer(answers(500));
      const { read, replay } = await begin((batch) => [batch.succeeded()]);
      await until("it waits", async () => (await read()).attemptCount === 1);
      await replay();
      await until("it waits", async () => (await read()).attemptCount === 2);
      expect(await read()).to.include({ status: "pending" });
    });

    it("is rejected during an attempt and while it waits for its batch", async () => {
      const gate = new AbortController();
      receiver.answer(async (_arrived, response) => {
        if (!gate.signal.aborted) await once(gate.signal, "abort");
        response.writeHead(204).end();
      });
      const { id, replay, list } = await begin((batch) => [
        batch.succeeded(),
        batch.completed(1),
      ]);
      expect(await getRejection(replay())).to.include({ code: "conflict" });
      const { data } = await list();
      const waiting = data.find(({ status }) => status === "held");
      expect(waiting?.type).to.equal("documents.completed");
      gate.abort();
      await harness.waitUntilSettled({ id });
    });
  });
});
