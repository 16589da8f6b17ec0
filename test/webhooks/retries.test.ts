import { once } from "node:events";
import { expect } from "chai";
import { afterEach, describe, it } from "mocha";
import { IsNull } from "typeorm";
import { operator } from "../../core/accounts/index.js";
import {
  WebhookDelivery,
  AuditEvent,
  WebhookEndpoint,
  Job,
  OutboxEvent,
  WebhookAttempt,
} from "../../core/storage/database/index.js";
import { useClock } from "../support/clock.js";
import { until } from "../support/eventually.js";
import { fastClock } from "../support/fast-clock.js";
import { anyDatabase, eachDatabase, getRefusal } from "../support/store.js";
import {
  TestBatch,
  useWebhooks,
  answers,
  useReceiver,
  verified,
} from "../support/webhooks.js";

anyDatabase((open) => {
  describe("a delivery that fails", () => {
    const harness = useWebhooks(open);
    const receiver = useReceiver();
    // Timestamps count in seconds.
    const now = () => Date.now() + 1000 * receiver.received.length;
    useClock({ ...fastClock, now });
    afterEach(() => receiver.forget());

    const begin = async () => {
      const organizationId = await harness.newOrganization();
      const input = { url: receiver.url };
      const endpoint = await harness.endpoint(organizationId, input);
      await harness.record(new TestBatch(organizationId).succeeded());
      return endpoint;
    };
    const detail = async (endpoint: Awaited<ReturnType<typeof begin>>) => {
      const [row] = await harness.waitUntilSettled(endpoint);
      const { organizationId, id } = endpoint;
      const { deliveries } = harness.events;
      return deliveries.get(organizationId, id, row?.id ?? "");
    };

    it("is retried with the same id and a new signature until it is delivered", async () => {
      receiver.answer((_arrived, response) => {
        const status = receiver.received.length < 3 ? 500 : 200;
        response.writeHead(status).end(`answer ${receiver.received.length}`);
      });
      const endpoint = await begin();
      const { status, attempts } = await detail(endpoint);
      expect(status).to.equal("delivered");
      expect(
        attempts.map(({ number, outcome, responseStatus, responseBody }) => [
          number,
          outcome,
          responseStatus,
          responseBody,
        ]),
      ).to.deep.equal([
        [1, "refused", 500, "answer 1"],
        [2, "refused", 500, "answer 2"],
        [3, "delivered", 200, "answer 3"],
      ]);
      const { received } = receiver;
      expect(new Set(received.map(({ id }) => id)).size).to.equal(1);
      expect(new Set(received.map(({ text }) => text)).size).to.equal(1);
      for (const one of received) verified(endpoint.secret, one);
      const times = received.map(({ headers }) => headers["webhook-timestamp"]);
      expect(new Set(times).size).to.be.greaterThan(1);
    });
  });
});

const hourMs = 3_600_000;

const inTwoHours = () => new Date(Date.now() + 2 * hourMs).toUTCString();

anyDatabase((open) => {
  describe("the wait before the next attempt", () => {
    useClock({});
    const harness = useWebhooks(open, { schedule: [hourMs] });
    const receiver = useReceiver();
    afterEach(() => receiver.forget());

    /** In hours, after a 503 with these headers. */
    const waitAfter = async (headers: object) => {
      receiver.answer(answers(503, headers));
      const organizationId = await harness.newOrganization();
      const { id } = await harness.endpoint(organizationId, {
        url: receiver.url,
      });
      await harness.record(new TestBatch(organizationId).succeeded());
      const { nextAttemptAt, updatedAt } = await until("an attempt", () =>
        harness.store.read.findOneBy(WebhookDelivery, {
          endpointId: id,
          attempts: 1,
        }),
      );
      const wait = (nextAttemptAt?.getTime() ?? 0) - updatedAt.getTime();
      return wait / hourMs;
    };

    it("is the schedule's with a jitter of 20%", async () => {
      const waits = [await waitAfter({}), await waitAfter({})];
      for (const wait of waits) expect(wait).to.be.within(0.8, 1.2);
      expect(waits[0]).to.not.equal(waits[1]);
    });

    for (const [name, retryAfter, min, max] of [
      ["a date", inTwoHours, 1.9, 2],
      ["a number of seconds", () => "7200", 2, 2],
      ["less than the schedule's", () => "60", 0.8, 1.2],
      ["more than a day", () => "9999999", 24, 24],
      ["invalid", () => "soon", 0.8, 1.2],
    ] as const)
      it(`is ${min} to ${max} hours when Retry-After is ${name}`, async () => {
        const wait = await waitAfter({ "retry-after": retryAfter() });
        expect(wait).to.be.within(min, max);
      });
  });
});

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

    it("of a time range sends everything but tests again, the batch's completion last", async () => {
      const { organizationId, id } = await begin();
      const before = receiver.received.map((arrived) => arrived.id);
      const { deliveries } = harness.events;
      await deliveries.test(organizationId, id);
      receiver.forget();
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
      const turned = { since: long.until, until: long.since };
      const wrong = deliveries.replayRange(organizationId, id, turned);
      expect(await getRefusal(wrong)).to.equal(
        "invalid_request The range ends before it begins. `since` must be before `until`.",
      );
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
        expect(await getRefusal(rejected)).to.equal(
          "conflict The endpoint is disabled (Disabled by its owner.). Enable it first.",
        );
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
      expect(await getRefusal(replay())).to.equal(
        "conflict This delivery is being sent right now or waits for its batch's documents. Replay it when it has ended.",
      );
      const { data } = await list();
      const waiting = data.find(({ status }) => status === "held");
      expect(waiting?.type).to.equal("documents.completed");
      gate.abort();
      await harness.waitUntilSettled({ id });
    });
  });
});

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
