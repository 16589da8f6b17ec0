import { expect } from "chai";
import {
  type ServiceEvent,
  webhookEventSchema,
} from "../../core/webhooks/index.js";
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
      const { batch: one, ...held } = await harness.subscribe(receiver);
      const { organizationId } = held;
      const two = new TestBatch(organizationId);
      await harness.endpoint(organizationId, { url: other.url });
      const few = { url: `${other.url}/few`, events: ["documents.completed"] };
      await harness.endpoint(organizationId, few);
      receiver.answer(answers(500));
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
    const harness = useWebhooks(open, { schedule: [dayMs], maxHoldMs: 300 });
    const receiver = useReceiver();

    it("ends, and the message lists the pending documents", async () => {
      const { batch } = await harness.subscribe(receiver);
      receiver.answer(({ type }, response) => {
        response.writeHead(type === "documents.completed" ? 204 : 500).end();
      });
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
  for (const [list, choices, others] of [
    ["exhausted", { schedule: [] }, {}],
    ["pending", { schedule: [dayMs], maxHoldMs: 0 }, { holdEnded: true }],
  ] as const)
    describe(`a batch of more documents than its documents.completed lists as ${list}`, () => {
      const harness = useWebhooks(open, choices);
      const receiver = useReceiver();

      for (const count of [200, 201])
        it(`names the first 200 of ${count}, and says whether there are more`, async () => {
          receiver.forget();
          const { batch } = await harness.subscribe(receiver);
          receiver.answer(({ type }, response) => {
            response.writeHead(type === "documents.completed" ? 204 : 500);
            response.end();
          });
          const events = Array.from({ length: count }, () => batch.succeeded());
          const completed = batch.completed(count);
          await harness.record(...events, completed);
          const message = await until("the batch's end", () => {
            const { received } = receiver;
            return (
              received.find(({ type }) => type === "documents.completed")
                ?.message ?? null
            );
          });
          const ids = events.map(({ data }) => Object(data).documentId);
          expect(webhookEventSchema.parse(message)).to.deep.equal({
            type: "documents.completed",
            timestamp: message["timestamp"],
            data: completed.data,
            ...others,
            [list]: ids.slice(0, 200),
            ...(count > 200 && { truncated: [list] }),
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

/** Sends the batches side by side: `documents.completed` comes once, last of its batch, and names what was given up. */
async function checkOrder(
  harness: WebhookHarness,
  receiver: WebhookReceiver,
  rejections: number[][],
): Promise<void> {
  receiver.forget();
  const { organizationId, ...endpoint } = await harness.subscribe(receiver);
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
  for (const { batch: one, documents } of sent) {
    const ofBatch = receiver.received.filter(
      ({ data }) => data.batchId === one.batchId,
    );
    const ends = ofBatch.filter(({ type }) => type === "documents.completed");
    expect(ends).to.deep.equal(ofBatch.slice(-1));
    const exhausted = documents
      .filter(({ rejections: count }) => count >= attempts)
      .map(({ id }) => id);
    const {
      type: _type,
      timestamp: _at,
      data: _data,
      ...notes
    } = ends[0]?.message ?? {};
    expect(notes).to.deep.equal(exhausted.length > 0 ? { exhausted } : {});
  }
}

eachDatabase((open) => {
  describe("documents.completed", () => {
    const harness = useWebhooks(open, { schedule });
    const receiver = useReceiver();

    it("comes after all other events of its batch, whatever fails", async () => {
      const property = fc.asyncProperty(batches, async (rejections) => {
        await checkOrder(harness, receiver, rejections);
      });
      await fc.assert(property, { numRuns: 10 });
    });
  });
});
