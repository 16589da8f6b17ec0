import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { expect } from "chai";
import { IsNull } from "typeorm";
import { operator } from "../../core/accounts/index.js";
import {
  insertRows,
  newId,
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

    it("is retried with the same id and a new signature until it is delivered", async () => {
      receiver.answer((_arrived, response) => {
        const status = receiver.received.length < 3 ? 500 : 200;
        response.writeHead(status).end(`answer ${receiver.received.length}`);
      });
      const endpoint = await harness.subscribe(receiver);
      const row = await harness.deliver(endpoint);
      const { status, attempts } = await harness.events.deliveries.get(
        endpoint.organizationId,
        endpoint.id,
        row?.id ?? "",
      );
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

anyDatabase((open) => {
  describe("the wait before the next attempt", () => {
    // A whole second, as dates in headers are.
    const now = Math.floor(Date.now() / 1000) * 1000;
    useClock({ now: () => now });
    const harness = useWebhooks(open, { schedule: [hourMs, 3 * hourMs] });
    const receiver = useReceiver();
    const { random } = Math;
    afterEach(() => {
      receiver.forget();
      Math.random = random;
    });
    const inHours = (hours: number) =>
      new Date(now + hours * hourMs).toUTCString();

    for (const [retryAfter, chance, hours] of [
      [undefined, 0, 0.8],
      [undefined, 0.5, 1],
      [undefined, 0.75, 1.1],
      ["7200", 0.5, 2],
      [inHours(2), 0.5, 2],
      ["3599", 0.5, 1],
      ["3601", 0.5, 3601 / 3600],
      ["9999999", 0.5, 24],
      [inHours(-2), 0, 0.8],
      ["soon", 0, 0.8],
      ["", 0, 0.8],
    ] as const)
      it(`is ${hours.toFixed(1)} hours after Retry-After: ${retryAfter ?? "nothing"}, and chance ${chance}`, async () => {
        const headers =
          retryAfter === undefined ? {} : { "retry-after": retryAfter };
        receiver.answer(answers(503, headers));
        Math.random = () => chance;
        const { id, batch } = await harness.subscribe(receiver);
        await harness.record(batch.succeeded());
        const { nextAttemptAt, updatedAt } = await until("an attempt", () =>
          harness.store.read.findOneBy(WebhookDelivery, {
            endpointId: id,
            attempts: 1,
          }),
        );
        const wait = Number(nextAttemptAt) - Number(updatedAt);
        expect(wait).to.equal(Math.round(hours * hourMs));
      });
  });

  describe("a job that runs before its time", () => {
    useClock({});
    const harness = useWebhooks(open, { schedule: [hourMs] });
    const receiver = useReceiver();

    it("waits again, and ends when its delivery has ended or is gone, or when too many runs were interrupted", async () => {
      receiver.answer(answers(500));
      const { id: endpointId, batch } = await harness.subscribe(receiver);
      const { store, queue } = harness;
      const attempt = async () => {
        await harness.record(batch.succeeded());
        return until("an attempt", () =>
          store.read.findOneBy(WebhookDelivery, {
            endpointId,
            attempts: 1,
            status: "pending",
          }),
        );
      };
      const findJob = (rowId: string) => store.read.findOneBy(Job, { rowId });
      /** Has the job run at once, as after a wrong clock. */
      const wake = async (rowId: string, changes: Partial<Job> = {}) => {
        await until("the job is at rest", () =>
          store.unitOfWork.run(async (tx) => {
            const rest = { rowId, lockToken: IsNull() };
            const readyAt = new Date(Date.now() - hourMs);
            const all = { readyAt, ...changes };
            const { affected } = await tx.update(Job, rest, all);
            return affected === 1;
          }),
        );
        queue.nudge("webhook");
      };
      const { id, nextAttemptAt } = await attempt();
      await wake(id);
      const job = await until("the job waits again", async () => {
        const found = await findJob(id);
        const isAtRest = found?.lockToken === null;
        return isAtRest && Number(found.readyAt) > Date.now() ? found : null;
      });
      expect(Number(job.readyAt) - Number(nextAttemptAt)).to.be.within(
        -60_000,
        60_000,
      );
      await store.unitOfWork.run((tx) =>
        tx.update(WebhookDelivery, { id }, { status: "exhausted" }),
      );
      await wake(id);
      await until("the job is done", async () => !(await findJob(id)));
      const { id: second } = await attempt();
      await store.unitOfWork.run(async (tx) => {
        await tx.delete(WebhookAttempt, { deliveryId: second });
        await tx.delete(WebhookDelivery, { id: second });
      });
      await wake(second);
      await until("the job is done", async () => !(await findJob(second)));
      const { id: third } = await attempt();
      await wake(third, { attempts: 1000 });
      await until("the job is done", async () => !(await findJob(third)));
      const delivery = await store.read.findOneBy(WebhookDelivery, {
        id: third,
      });
      expect(delivery?.completedAt).to.be.a("date");
      expect(delivery).to.include({
        status: "exhausted",
        attempts: 1,
        nextAttemptAt: null,
        lastError: "Every process that sent this was interrupted.",
      });
      expect(receiver.received).to.have.length(3);
    });
  });
});

const dayMs = 24 * 60 * 60_000;

anyDatabase((open) => {
  for (const [days, words] of [
    [1, "1 day"],
    [1.25, "1.3 days"],
    [5, "5 days"],
  ] as const)
    describe(`an endpoint that may fail for ${words}`, () => {
      const disableAfterMs = days * dayMs;
      const harness = useWebhooks(open, { schedule: [1], disableAfterMs });
      const receiver = useReceiver();

      it("is disabled by the first failure after that, with the reason, also in the audit log", async () => {
        receiver.answer(answers(500));
        const endpoint = await harness.subscribe(receiver);
        const { id, organizationId } = endpoint;
        const failingSince = new Date(Date.now() - disableAfterMs);
        await harness.store.unitOfWork.run((tx) =>
          tx.update(WebhookEndpoint, { id }, { failingSince }),
        );
        expect(await harness.deliver(endpoint)).to.include({
          status: "exhausted",
          attempts: 1,
          lastError:
            "The endpoint was disabled or deleted before this could be sent.",
        });
        const reason = `Every attempt failed for ${words}.`;
        expect(
          await harness.events.endpoints.get(organizationId, id),
        ).to.include({ isEnabled: false, disabledReason: reason });
        const note = await harness.store.read.findOneByOrFail(AuditEvent, {
          subject: id,
          action: "webhook.disabled",
        });
        const event = { origin: "service", userId: null, details: { reason } };
        expect(note).to.deep.include(event);
      });
    });

  describe("an endpoint that has failed every attempt", () => {
    const harness = useWebhooks(open, { schedule: [] });
    const receiver = useReceiver();
    afterEach(() => receiver.forget());

    /** One failed attempt, and a record that the failures began so long ago; then another event. */
    const failing = async (days: number) => {
      receiver.answer(answers(500));
      const endpoint = await harness.subscribe(receiver);
      await harness.deliver(endpoint);
      const { id } = endpoint;
      const failingSince = new Date(Date.now() - days * dayMs);
      await harness.store.unitOfWork.run(async (tx) => {
        await tx.update(WebhookEndpoint, { id }, { failingSince });
      });
      return endpoint;
    };
    const next = async (endpoint: Awaited<ReturnType<typeof failing>>) => {
      const { organizationId, id, batch } = endpoint;
      const count = receiver.received.length + 1;
      await harness.record(batch.succeeded());
      await receiver.waitFor(count);
      await harness.waitUntilSettled(endpoint);
      return harness.events.endpoints.get(organizationId, id);
    };

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
        const row = await harness.deliver(await harness.subscribe(receiver));
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
      const { organizationId, id, batch } = await harness.subscribe(receiver);
      receiver.answer((_arrived, response) => {
        response.writeHead(receiver.received.length === 1 ? 500 : 204).end();
      });
      await harness.record(
        batch.succeeded(),
        batch.succeeded(),
        batch.completed(2),
      );
      await harness.waitUntilSettled({ id });
      return { organizationId, id };
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
  });

  describe("a replay of more deliveries than one transaction takes", () => {
    const harness = useWebhooks(open);
    const receiver = useReceiver();

    it("starts all of them again", async () => {
      const { organizationId, ...endpoint } = await harness.subscribe(receiver);
      const row = await harness.deliver(endpoint);
      await harness.stop();
      await harness.store.unitOfWork.run(async (tx) => {
        const event = await tx.findOneByOrFail(OutboxEvent, {
          id: row?.eventId ?? "",
        });
        const ids = Array.from({ length: 500 }, () => newId());
        const events = ids.map((id) =>
          Object.assign(new OutboxEvent(), event, { id }),
        );
        await insertRows(tx, OutboxEvent, events);
        const copies = ids.map((id) =>
          Object.assign(new WebhookDelivery(), row, { id, eventId: id }),
        );
        await tx.insert(WebhookDelivery, copies);
      });
      const { deliveries } = harness.events;
      const { id } = endpoint;
      const done = await deliveries.replayRange(organizationId, id, long);
      expect(done).to.deep.equal({ count: 501 });
      const pending = { endpointId: id, status: "pending" } as const;
      expect(
        await harness.store.read.countBy(WebhookDelivery, pending),
      ).to.equal(501);
    });
  });

  describe("a replay of a delivery that has not ended", () => {
    const harness = useWebhooks(open, { schedule: [24 * 60 * 60_000] });
    const receiver = useReceiver();
    afterEach(() => receiver.forget());

    const begin = async (
      makeEvents: (batch: TestBatch) => Parameters<typeof harness.record>,
    ) => {
      const { organizationId, id, batch } = await harness.subscribe(receiver);
      await harness.record(...makeEvents(batch));
      const [arrived] = await receiver.waitFor(1);
      const { deliveries } = harness.events;
      const deliveryId = arrived?.id ?? "";
      return {
        id,
        read: () => deliveries.get(organizationId, id, deliveryId),
        replay: (which = deliveryId) =>
          deliveries.replay(organizationId, id, which),
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

    it("sends a batch's completion now, even if a document of it is sent again", async () => {
      receiver.answer(({ type }, response) => {
        response.writeHead(type === "documents.completed" ? 500 : 204).end();
      });
      const { replay, list } = await begin((batch) => [
        batch.succeeded(),
        batch.completed(1),
      ]);
      const completion = await until("it waits", async () => {
        const { data } = await list();
        return data.find(({ lastStatus }) => lastStatus === 500) ?? null;
      });
      const waiting = new Array<ServerResponse>();
      receiver.answer(({ type }, response) => {
        if (type === "documents.completed") response.writeHead(204).end();
        else waiting.push(response);
      });
      await replay();
      await receiver.waitFor(3);
      expect(await replay(completion.id)).to.include({ status: "pending" });
      const [, , , last] = await receiver.waitFor(4);
      expect(last?.id).to.equal(completion.id);
      for (const response of waiting) response.writeHead(204).end();
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
      const endpoint = await harness.subscribe(receiver);
      await harness.record(endpoint.batch.succeeded());
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
    const retentionMs = 2 * dayMs;
    const harness = useWebhooks(open, { schedule: [hourMs], retentionMs });
    const receiver = useReceiver();
    const ago = (days: number) => new Date(Date.now() - days * dayMs);

    /** An endpoint with a delivery, all made so many days ago. */
    const begin = async (organizationId: string, status: number, days = 0) => {
      receiver.answer(answers(status));
      const { url } = receiver;
      const { id } = await harness.endpoint(organizationId, { url });
      const event = new TestBatch(organizationId).succeeded();
      await harness.record(event);
      const { store } = harness;
      const delivery = await until("the attempt", () =>
        store.read.findOneBy(WebhookDelivery, { endpointId: id, attempts: 1 }),
      );
      const { endpoints } = harness.events;
      await store.unitOfWork.run(async (tx) => {
        const createdAt = ago(days);
        await tx.update(OutboxEvent, { id: delivery.eventId }, { createdAt });
        if (delivery.completedAt)
          await tx.update(
            WebhookDelivery,
            { id: delivery.id },
            { completedAt: createdAt },
          );
      });
      await endpoints.remove(organizationId, id, operator);
      await store.unitOfWork.run((tx) =>
        tx.update(WebhookEndpoint, { id }, { deletedAt: ago(days) }),
      );
      return { endpoint: id, delivery: delivery.id, event: delivery.eventId };
    };

    it("is deleted: ended deliveries, their attempts and events, and endpoints, but nothing in progress or younger", async () => {
      const organizationId = await harness.newOrganization();
      const old = await begin(organizationId, 204, 2.01);
      const young = await begin(organizationId, 204, 1.99);
      const inProgress = await begin(organizationId, 500, 2.01);
      const { read } = harness.store;
      const { dispatch } = harness.events;
      const find = async () =>
        [
          (await read.find(WebhookDelivery)).map(({ id }) => id),
          (await read.find(WebhookAttempt)).map((one) => one.deliveryId),
          (await read.find(OutboxEvent)).map(({ id }) => id),
          (await read.find(WebhookEndpoint)).map(({ id }) => id),
        ].map((ids) => ids.toSorted());
      const all = [old, young, inProgress];
      const only = (kept: typeof all) => [
        kept.map(({ delivery }) => delivery).toSorted(),
        kept.map(({ delivery }) => delivery).toSorted(),
        kept.map(({ event }) => event).toSorted(),
        kept.map(({ endpoint }) => endpoint).toSorted(),
      ];
      await dispatch.deleteOld(AbortSignal.abort());
      expect(await find()).to.deep.equal(only(all));
      await dispatch.deleteOld(new AbortController().signal);
      expect(await find()).to.deep.equal(only([young, inProgress]));
    });
  });
});
