import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "chai";
import { In } from "typeorm";
import { operator } from "../../core/accounts/index.js";
import {
  Job,
  WebhookAttempt,
  WebhookDelivery,
  newId,
  type Store,
} from "../../core/storage/database/index.js";
import {
  type EndpointWithSecret,
  type Events,
  recordEvents,
} from "../../core/webhooks/index.js";
import { useFixedTime } from "../support/clock.js";
import { until } from "../support/eventually.js";
import { recordingLog } from "../support/recording-log.js";
import {
  eachDatabase,
  anyDatabase,
  interrupted,
  newOrganization,
} from "../support/store.js";
import {
  TestBatch,
  useReceiver,
  useWebhooks,
  answers,
  eventsOn,
  startEventProcess,
  verified,
} from "../support/webhooks.js";

const batchSize = 120;

eachDatabase((open) => {
  describe("a receiver that answers at once", () => {
    const harness = useWebhooks(open, { perEndpoint: 2, schedule: [1, 1] });
    const receiver = useReceiver();
    afterEach(() => receiver.forget());

    const begin = async () => {
      const { batch, ...endpoint } = await harness.subscribe(receiver);
      const events = Array.from({ length: batchSize }, () => batch.succeeded());
      await harness.record(...events, batch.completed(batchSize));
      return endpoint;
    };
    /** What is stored of a delivery and of its last attempt. */
    const describeEnds = async (deliveries: readonly WebhookDelivery[]) => {
      const attempts = await harness.store.read.find(WebhookAttempt);
      return deliveries.map((one) => {
        const own = attempts.filter(({ deliveryId }) => deliveryId === one.id);
        const last = own.find(({ number }) => number === own.length);
        return [
          [one.status, one.attempts, one.tries, one.lastStatus, one.lastError],
          [one.nextAttemptAt, Number(one.updatedAt) - Number(one.completedAt)],
          [own.length, last?.outcome, last?.responseStatus, last?.error],
          last?.url,
        ];
      });
    };
    const delivered = (tries: number, status: number) => [
      ["delivered", tries, tries, status, null],
      [null, 0],
      [tries, "delivered", status, null],
      receiver.url,
    ];

    it("gets each of many messages once, no more at a time than an endpoint may, and the batch's end last", async () => {
      let running = 0;
      let max = 0;
      const statuses = new Map<string, number>();
      receiver.answer(async ({ id }, response) => {
        running += 1;
        max = Math.max(max, running);
        // The first waits for a second, and both for a third that may come.
        await until("a second message arrives", () => max >= 2);
        await nextTurn();
        running -= 1;
        const status = 200 + (statuses.size % 2);
        statuses.set(id, status);
        response.writeHead(status).end();
      });
      const rows = await harness.waitUntilSettled(await begin());
      const ids = rows.map(({ id }) => id);
      expect(await describeEnds(rows)).to.deep.equal(
        ids.map((id) => delivered(1, statuses.get(id) ?? 0)),
      );
      expect(ids).to.have.length(batchSize + 1);
      expect(receiver.received.map(({ id }) => id)).to.have.members(ids);
      expect(receiver.received.at(-1)?.type).to.equal("documents.completed");
      expect(max).to.equal(2);
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
      expect(await describeEnds(rows)).to.deep.equal(
        rows.map(({ id }) => delivered(refused.has(id) ? 2 : 1, 200)),
      );
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
      const { batch, ...endpoint } = await harness.subscribe(receiver);
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

anyDatabase((open) => {
  describe("attempts at one receiver, one after the other", () => {
    const time = useFixedTime();
    const { log, text } = recordingLog();
    const choices = { perEndpoint: 1, schedule: [3_600_000] };
    const harness = useWebhooks(open, choices, { log });
    const receiver = useReceiver();
    const order = { id: "ASC" } as const;
    /** How many more were asked for, and how many came. */
    const taken: string[] = [];
    before(() => {
      const { queue } = harness;
      const take = queue.takeMore.bind(queue);
      queue.takeMore = async (...call) => {
        const jobs = await take(...call);
        taken.push(`${call[1]}/${jobs.length}`);
        return jobs;
      };
    });
    afterEach(() => receiver.forget());

    /** Sends so many; `answer` is called with the number of each that arrives, and says how long its answer takes. */
    const send = async (
      count: number,
      answer: (
        number: number,
        endpoint: EndpointWithSecret,
      ) => number | Promise<number>,
      statusOf = (_number: number) => 204,
    ) => {
      taken.length = 0;
      const { batch, ...endpoint } = await harness.subscribe(receiver);
      receiver.answer(async (_arrived, response) => {
        const number = receiver.received.length;
        time.advance(await answer(number, endpoint));
        response.writeHead(statusOf(number)).end();
      });
      const events = Array.from({ length: count }, () => batch.succeeded());
      await harness.record(...events);
      const where = { endpointId: endpoint.id };
      const rows = await until("every attempt is recorded", async () => {
        const { read } = harness.store;
        const all = await read.find(WebhookDelivery, { where, order });
        const isOver = all.every((row) => row.attempts > 0 || row.completedAt);
        return isOver && all.length > 0 ? all : null;
      });
      return { endpoint, rows };
    };

    for (const [how, count, answer, expected] of [
      ["at once", 60, () => 0, "50/50 50/8"],
      ["in 20 ms each", 60, () => 20, "49/49 49/9"],
      ["in 300 ms each", 6, () => 300, "2/2 2/2"],
      ["in 500 ms each", 4, () => 500, "1/1 1/1"],
      ["in 501 ms each", 4, () => 501, ""],
      ["at once, then in 500 ms", 6, (n) => (n > 1 ? 500 : 0), "50/5 1/1"],
      ["at once, then in 501 ms", 6, (n) => (n > 1 ? 501 : 0), "50/5"],
    ] as [string, number, (n: number) => number, string][])
      it(`are as many as probably take a second: answered ${how}`, async () => {
        await send(count, answer);
        expect(taken.join(" ")).to.equal(expected);
        expect(receiver.received).to.have.length(count);
      });

    for (const [number, expected] of [
      [1, "50/4"],
      [2, "50/5 50/3"],
    ] as const)
      it(`end with the first failure, of message ${number}`, async () => {
        await send(
          6,
          () => 0,
          (n) => (n === number ? 500 : 204),
        );
        expect(taken.join(" ")).to.equal(expected);
        expect(receiver.received).to.have.length(6);
      });

    for (const [eachMs, at, last] of [
      [100, 1, 2],
      [101, 1, 1],
      [60, 3, 4],
    ] as const)
      it(`see within 100 ms that their endpoint is changed: message ${at} of those that take ${eachMs} ms each`, async () => {
        const { endpoints } = harness.events;
        const { rows } = await send(8, async (n, { organizationId, id }) => {
          const off = { isEnabled: false };
          if (n === at)
            await endpoints.change(organizationId, id, off, operator);
          return eachMs;
        });
        const sent = rows.filter(({ status }) => status === "delivered");
        expect(sent).to.have.length(last);
        expect(receiver.received).to.have.length(last);
        receiver.forget();
        let secret = "";
        const { endpoint } = await send(
          8,
          async (n, { organizationId, id }) => {
            const how = { revokeNow: true };
            if (n === at)
              ({ secret } = await endpoints.rotateSecret(
                organizationId,
                id,
                how,
                operator,
              ));
            return eachMs;
          },
        );
        const { received } = receiver;
        expect(received).to.have.length(8);
        for (const arrived of received.slice(0, last))
          verified(endpoint.secret, arrived);
        for (const arrived of received.slice(last)) verified(secret, arrived);
      });

    it("leave out what has ended, is gone or is not due", async () => {
      const { store } = harness;
      const later = new Date(Date.now() + 3_600_000);
      let gone = "";
      const { rows } = await send(6, async (number, { id: endpointId }) => {
        if (number > 1) return 0;
        await store.unitOfWork.run(async (tx) => {
          const where = { endpointId };
          const all = await tx.find(WebhookDelivery, { where, order });
          const [, second = "", third = "", fourth = ""] = all.map(
            ({ id }) => id,
          );
          const end = { status: "exhausted", completedAt: later } as const;
          await tx.update(WebhookDelivery, { id: second }, end);
          await tx.delete(WebhookDelivery, { id: third });
          const wait = { nextAttemptAt: later, attempts: 1 };
          await tx.update(WebhookDelivery, { id: fourth }, wait);
          gone = third;
        });
        return 0;
      });
      const early = rows[2];
      expect(rows.map(({ status }) => status)).to.deep.equal([
        "delivered",
        "exhausted",
        "pending",
        "delivered",
        "delivered",
      ]);
      expect(receiver.received).to.have.length(3);
      const ids = In([...rows.map(({ id }) => id), gone]);
      const job = await until("one job is left, at rest", async () => {
        const jobs = await store.read.findBy(Job, { rowId: ids });
        return jobs.length === 1 && jobs[0]?.lockToken === null && jobs[0];
      });
      expect(job.rowId).to.equal(early?.id);
      const waitMs = Number(job.readyAt) - Number(later);
      expect(waitMs).to.be.within(-60_000, 60_000);
    });

    it("are recorded when no more can be taken", async () => {
      const { queue } = harness;
      queue.takeMore = () => Promise.reject(new Error("no database"));
      const { rows } = await send(3, () => 0);
      expect(rows.map(({ attempts }) => attempts)).to.deep.equal([1, 1, 1]);
      expect(receiver.received).to.have.length(3);
      const warnings = text()
        .split("\n")
        .filter((line) => line.includes('"warn"'))
        .map((line) => JSON.parse(line));
      expect(warnings.map(({ msg, err }) => [msg, err.message])).to.deep.equal(
        Array.from({ length: 3 }, () => [
          "could not take more webhooks",
          "no database",
        ]),
      );
    });
  });

  describe("a slow receiver", () => {
    const harness = useWebhooks(open, { concurrency: 6, perEndpoint: 2 });
    const slow = useReceiver();
    const quick = useReceiver();

    it("does not delay others, and gets few deliveries at once", async () => {
      const waiting: ServerResponse[] = [];
      slow.answer((_arrived, response) => void waiting.push(response));
      const stuck = await begin(slow.url, 8);
      await slow.waitFor(2);
      const prompt = await begin(quick.url, 8);
      const rows = await harness.waitUntilSettled(prompt);
      expect(rows.map(({ status }) => status)).to.deep.equal(
        rows.map(() => "delivered"),
      );
      expect(slow.received).to.have.length(2);
      slow.forget();
      for (const response of waiting) response.writeHead(200).end();
      expect(await harness.waitUntilSettled(stuck)).to.have.length(8);
    });

    const begin = async (url: string, count: number) => {
      const { batch, ...endpoint } = await harness.subscribe({ url });
      const events = Array.from({ length: count }, () => batch.succeeded());
      await harness.record(...events);
      return endpoint;
    };
  });

  describe("a receiver that never answers", () => {
    const harness = useWebhooks(open, { schedule: [], timeoutMs: 200 });
    const receiver = useReceiver();

    it("is timed out", async () => {
      receiver.answer(() => undefined);
      const delivery = await harness.deliver(await harness.subscribe(receiver));
      expect([delivery?.status, delivery?.lastError]).to.deep.equal([
        "exhausted",
        `${new URL(receiver.url).host} did not send a complete response within 0.2 s.`,
      ]);
    });
  });
});

eachDatabase((open) => {
  describe("a delivery that another process attempts while it is read", () => {
    const harness = useWebhooks(open, { schedule: [24 * 3_600_000] });
    const receiver = useReceiver();

    it("is returned as one consistent snapshot with its attempts", async () => {
      receiver.answer(answers(500));
      const { organizationId, ...endpoint } = await harness.subscribe(receiver);
      await harness.record(endpoint.batch.succeeded());
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

eachDatabase((open) => {
  describe("processes that relay concurrently", () => {
    let stores: Store[];
    let harnesses: Events[];
    before(async () => {
      stores = [await open(), await open(), await open()];
      harnesses = stores.map((store) => eventsOn(store).events);
    });

    it("create exactly one delivery for each event and endpoint, and a replay finds them all", async () => {
      const [store] = stores;
      const [harness] = harnesses;
      if (!store || !harness) throw new Error("no store");
      const { endpoints, deliveries, dispatch } = harness;
      const organizationId = await newOrganization(store);
      const [one = "", off = ""] = await Promise.all(
        ["a", "b"].map(async (name) => {
          const url = `https://shop.example.com/${name}`;
          const input = { url };
          return (await endpoints.create(organizationId, input, operator)).id;
        }),
      );
      const enable = (isEnabled: boolean) =>
        endpoints.change(organizationId, off, { isEnabled }, operator);
      await enable(false);
      const batch = new TestBatch(organizationId);
      const events = Array.from({ length: 600 }, () => batch.succeeded());
      await store.unitOfWork.run((tx) => recordEvents(tx, events));
      for (const each of harnesses) {
        each.dispatch.start();
        each.dispatch.nudge();
      }
      for (const each of harnesses) await each.dispatch.stop();
      const rows = await store.read.find(WebhookDelivery);
      const pairs = rows.map((row) => `${row.eventId} ${row.endpointId}`);
      expect(new Set(pairs).size).to.equal(1200);
      expect(pairs).to.have.length(1200);
      const atOne = rows.filter(({ endpointId }) => endpointId === one);
      const atOff = rows.filter(({ endpointId }) => endpointId === off);
      expect(new Set(atOne.map(({ status }) => status))).to.have.keys(
        "pending",
      );
      expect(new Set(atOff.map(({ status }) => status))).to.have.keys(
        "exhausted",
      );
      const { pending, unrelayed } = await dispatch.stats();
      expect({ pending, unrelayed }).to.deep.equal({
        pending: 600,
        unrelayed: 0,
      });
      await enable(true);
      const times = atOff.map((row) => +row.createdAt);
      const [first, last] = [Math.min(...times), Math.max(...times)];
      const replay = (since: number, to: number) =>
        deliveries.replayRange(organizationId, off, {
          since: new Date(since),
          until: new Date(to),
        });
      expect([
        await replay(0, first - 1),
        await replay(last + 1, last + 1),
        await replay(first, last),
        await replay(first, last),
      ]).to.deep.equal([
        { count: 0 },
        { count: 0 },
        { count: 600 },
        { count: 0 },
      ]);
      expect((await dispatch.stats()).pending).to.equal(1200);
      const jobs = { kind: "webhook" };
      expect(await store.read.countBy(Job, jobs)).to.equal(1200);
    });
  });
});

eachDatabase((open, location) => {
  describe("a process that is killed", () => {
    const receiver = useReceiver();
    const kills: (() => Promise<void>)[] = [];
    let store: Store;
    before(async () => {
      store = await open();
    });
    after(async () => {
      for (const kill of kills) await kill();
    });
    const work = async () => {
      const kill = await startEventProcess(location);
      kills.push(kill);
      return kill;
    };

    it("after the commit and during a delivery loses nothing, and repeats a delivery only with the same id", async () => {
      const organizationId = await newOrganization(store);
      const { events } = eventsOn(store);
      const { id: endpointId } = await events.endpoints.create(
        organizationId,
        { url: receiver.url },
        operator,
      );
      const batch = new TestBatch(organizationId);
      const documents = [1, 2, 3].map(() => batch.succeeded());
      // Nobody is nudged: as if this process had died right after its commit.
      await store.unitOfWork.run((tx) =>
        recordEvents(tx, [...documents, batch.completed(3)]),
      );
      receiver.answer(() => undefined);
      const kill = await work();
      await receiver.waitFor(3);
      await kill();
      const cutOff = receiver.received.map(({ id }) => id);
      receiver.forget();
      await work();
      await until("every delivery has arrived", () =>
        store.read
          .countBy(WebhookDelivery, { endpointId, status: "delivered" })
          .then((delivered) => delivered === 4),
      );
      // A process that is slower than its lease repeats a delivery too.
      const types = new Map(
        receiver.received.map(({ id, type }) => [id, type]),
      );
      expect([...types.keys()])
        .to.have.length(4)
        .and.include.members(cutOff);
      expect([...types.values()].at(-1)).to.equal("documents.completed");
      const rows = await store.read.findBy(WebhookDelivery, { endpointId });
      expect(rows.map(({ attempts }) => attempts)).to.deep.equal([1, 1, 1, 1]);
    });
  });
});
