import { expect } from "chai";
import { fc } from "../support/properties.js";
import { describe, it } from "mocha";
import type { ServiceEvent } from "../../core/webhooks/index.js";
import {
  type WebhookHarness,
  TestBatch,
  useWebhooks,
  useReceiver,
  type WebhookReceiver,
} from "../support/webhooks.js";
import { eachDatabase } from "../support/store.js";

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
