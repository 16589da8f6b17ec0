import { expect } from "chai";
import { afterEach, describe, it } from "mocha";
import type { ServiceEvent } from "../../core/webhooks/index.js";
import { until } from "../support/eventually.js";
import { fc } from "../support/properties.js";
import { anyDatabase, eachDatabase } from "../support/store.js";
import {
  TestBatch,
  useWebhooks,
  answers,
  useReceiver,
  type WebhookHarness,
  type WebhookReceiver,
} from "../support/webhooks.js";

const dayMs = 24 * 60 * 60_000;

anyDatabase((open) => {
  describe("a batch's documents.completed", () => {
    const harness = useWebhooks(open, { schedule: [dayMs] });
    const receiver = useReceiver();
    const other = useReceiver();
    afterEach(() => {
      receiver.forget();
      other.forget();
    });

    it("is held at endpoints where a document's delivery is still retried, and only there", async () => {
      const organizationId = await harness.newOrganization();
      const held = await harness.endpoint(organizationId, {
        url: receiver.url,
      });
      await harness.endpoint(organizationId, { url: other.url });
      const events = ["documents.completed"];
      await harness.endpoint(organizationId, {
        url: `${other.url}/few`,
        events,
      });
      receiver.answer(answers(500));
      const [one, two] = [1, 2].map(() => new TestBatch(organizationId));
      if (!one || !two) throw new Error("no batches");
      await harness.record(one.succeeded(), one.completed());
      await other.waitFor(3);
      await receiver.waitFor(1);
      receiver.answer(answers(204));
      await harness.record(two.succeeded(), two.completed());
      await receiver.waitFor(3);
      expect(
        receiver.received.map(({ type, data }) => [type, data.batchId]),
      ).to.deep.equal([
        ["document.succeeded", one.batchId],
        ["document.succeeded", two.batchId],
        ["documents.completed", two.batchId],
      ]);
      const { data } = await harness.events.deliveries.list(
        organizationId,
        held.id,
        { page: 1, pageSize: 10, status: "held" },
      );
      expect(data.map(({ batchId }) => batchId)).to.deep.equal([one.batchId]);
    });
  });

  describe("a hold that exceeds its maximum time", () => {
    const harness = useWebhooks(open, { schedule: [dayMs], maxHoldMs: 1500 });
    const receiver = useReceiver();

    it("ends, and the message lists the pending documents", async () => {
      const organizationId = await harness.newOrganization();
      await harness.endpoint(organizationId, { url: receiver.url });
      receiver.answer(({ type }, response) => {
        response.writeHead(type === "documents.completed" ? 204 : 500).end();
      });
      const batch = new TestBatch(organizationId);
      const event = batch.succeeded();
      await harness.record(event, batch.completed());
      await receiver.waitFor(1);
      const { message } = await until("the hold's end", async () => {
        await harness.sweep();
        const { received } = receiver;
        return (
          received.find(({ type }) => type === "documents.completed") ?? null
        );
      });
      if (event.type !== "document.succeeded") throw new Error(event.type);
      expect(message).to.deep.include({
        holdEnded: true,
        pending: [event.data.documentId],
      });
      expect(message).to.not.have.property("exhausted");
    });
  });
});

anyDatabase((open) => {
  describe("a batch of more documents than its documents.completed lists", () => {
    const harness = useWebhooks(open, { schedule: [] });
    const receiver = useReceiver();

    it("names the first 200 that the endpoint did not receive, and says that there are more", async () => {
      const organizationId = await harness.newOrganization();
      const endpoint = await harness.endpoint(organizationId, {
        url: receiver.url,
      });
      receiver.answer(({ type }, response) => {
        response.writeHead(type === "documents.completed" ? 204 : 500).end();
      });
      const batch = new TestBatch(organizationId);
      const events = Array.from({ length: 201 }, () => batch.succeeded());
      const completed = batch.completed(201);
      await harness.record(...events, completed);
      await harness.waitUntilSettled(endpoint);
      const { message = {} } = receiver.received[201] ?? {};
      const ids = events.map(({ data }) => Object(data).documentId);
      expect(message).to.deep.equal({
        type: "documents.completed",
        timestamp: message["timestamp"],
        data: completed.data,
        exhausted: ids.slice(0, 200),
        truncated: ["exhausted"],
      });
    });
  });
});

const schedule = [1, 1, 1];

const attempts = schedule.length + 1;

/** How often each document's delivery is refused before it is taken; of as many as there are attempts, for ever. */
const batch = fc.array(fc.integer({ min: 0, max: attempts }), {
  minLength: 1,
  maxLength: 6,
});

const batches = fc.array(batch, { minLength: 1, maxLength: 5 });

interface SentBatch {
  batch: TestBatch;
  documents: { id: string; rejections: number }[];
  events: ServiceEvent[];
}

function createSentBatch(
  organizationId: string,
  rejections: number[],
): SentBatch {
  const one = new TestBatch(organizationId);
  const events = rejections.map(() => one.succeeded());
  const documents = rejections.map((count, index) => {
    const data = events[index]?.data;
    const id = data && "documentId" in data ? data.documentId : "";
    return { id, rejections: count };
  });
  const all = [...events, one.completed(rejections.length)];
  return { batch: one, documents, events: all };
}

/** Sends the batches side by side; whether each one was told to be complete after all that was told of it. */
async function isInOrder(
  harness: WebhookHarness,
  receiver: WebhookReceiver,
  rejections: number[][],
): Promise<boolean> {
  receiver.forget();
  const organizationId = await harness.newOrganization();
  const endpoint = await harness.endpoint(organizationId, {
    url: receiver.url,
  });
  const sent = rejections.map((counts) =>
    createSentBatch(organizationId, counts),
  );
  const left = new Map(
    sent.flatMap(({ documents }) =>
      documents.map(({ id, rejections: count }) => [id, count] as const),
    ),
  );
  receiver.answer(({ data }, response) => {
    const id = String(data.documentId);
    const count = left.get(id) ?? 0;
    left.set(id, count - 1);
    response.writeHead(count > 0 ? 500 : 204).end();
  });
  await Promise.all(sent.map(({ events }) => harness.record(...events)));
  await harness.waitUntilSettled(endpoint);
  return sent.every((one) => isLast(receiver, one));
}

/** `documents.completed` came once, last of its batch, and names the documents that were given up. */
function isLast({ received }: WebhookReceiver, one: SentBatch): boolean {
  const ofBatch = received.filter(
    ({ data }) => data.batchId === one.batch.batchId,
  );
  const completed = ofBatch.filter(
    ({ type }) => type === "documents.completed",
  );
  const given = one.documents
    .filter(({ rejections }) => rejections >= attempts)
    .map(({ id }) => id);
  const { exhausted = [], ...rest } = completed[0]?.message ?? {};
  return (
    completed.length === 1 &&
    ofBatch.at(-1) === completed[0] &&
    !("holdEnded" in rest) &&
    isSameSet(exhausted, given)
  );
}

function isSameSet(listed: unknown, ids: string[]): boolean {
  return (
    Array.isArray(listed) &&
    listed.length === ids.length &&
    ids.every((id) => listed.includes(id))
  );
}

eachDatabase((open) => {
  describe("documents.completed", () => {
    const harness = useWebhooks(open, { schedule });
    const receiver = useReceiver();

    it("comes after all other events of its batch, whatever fails", async () => {
      const property = fc.asyncProperty(batches, async (rejections) => {
        expect(await isInOrder(harness, receiver, rejections)).to.equal(true);
      });
      await fc.assert(property, { numRuns: 10 });
    });
  });

  describe("without the gate, documents.completed", () => {
    const harness = useWebhooks(open, { schedule, maxHoldMs: 0 });
    const receiver = useReceiver();

    it("comes too early, which the property test detects", async () => {
      const property = fc.asyncProperty(batches, (rejections) =>
        isInOrder(harness, receiver, rejections),
      );
      const { failed } = await fc.check(property, { endOnFailure: true });
      expect(failed).to.equal(true);
    });
  });
});
