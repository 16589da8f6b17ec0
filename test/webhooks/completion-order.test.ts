import { expect } from "chai";
import * as fc from "fast-check";
import { describe, it } from "mocha";
import type { ServiceEvent } from "../../core/webhooks/index.js";
import {
  type WebhookBench,
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

interface Sent {
  batch: TestBatch;
  documents: { id: string; refusals: number }[];
  events: ServiceEvent[];
}

function sentOf(organizationId: string, refusals: number[]): Sent {
  const one = new TestBatch(organizationId);
  const events = refusals.map(() => one.succeeded());
  const documents = refusals.map((count, index) => {
    const data = events[index]?.data;
    const id = data && "documentId" in data ? data.documentId : "";
    return { id, refusals: count };
  });
  const all = [...events, one.completed(refusals.length)];
  return { batch: one, documents, events: all };
}

/** Sends the batches side by side; whether each one was told to be complete after all that was told of it. */
async function isInOrder(
  bench: WebhookBench,
  receiver: WebhookReceiver,
  refusals: number[][],
): Promise<boolean> {
  receiver.forget();
  const organizationId = await bench.newOrganization();
  const endpoint = await bench.endpoint(organizationId, { url: receiver.url });
  const sent = refusals.map((counts) => sentOf(organizationId, counts));
  const left = new Map(
    sent.flatMap(({ documents }) =>
      documents.map(({ id, refusals: count }) => [id, count] as const),
    ),
  );
  receiver.answer(({ data }, response) => {
    const id = String(data.documentId);
    const count = left.get(id) ?? 0;
    left.set(id, count - 1);
    response.writeHead(count > 0 ? 500 : 204).end();
  });
  await Promise.all(sent.map(({ events }) => bench.record(...events)));
  await bench.settled(endpoint);
  return sent.every((one) => isLast(receiver, one));
}

/** `documents.completed` came once, last of its batch, and names the documents that were given up. */
function isLast({ arrived }: WebhookReceiver, one: Sent): boolean {
  const ofBatch = arrived.filter(
    ({ data }) => data.batchId === one.batch.batchId,
  );
  const completed = ofBatch.filter(
    ({ type }) => type === "documents.completed",
  );
  const given = one.documents
    .filter(({ refusals }) => refusals >= attempts)
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
    const bench = useWebhooks(open, { schedule });
    const receiver = useReceiver();

    it("comes after all other events of its batch, whatever fails", async () => {
      const property = fc.asyncProperty(batches, async (refusals) => {
        expect(await isInOrder(bench, receiver, refusals)).to.equal(true);
      });
      await fc.assert(property, { numRuns: 10 });
    });
  });

  describe("without the gate, documents.completed", () => {
    const bench = useWebhooks(open, { schedule, maxHoldMs: 0 });
    const receiver = useReceiver();

    it("comes too early, which the property test detects", async () => {
      const property = fc.asyncProperty(batches, (refusals) =>
        isInOrder(bench, receiver, refusals),
      );
      const { failed } = await fc.check(property, { endOnFailure: true });
      expect(failed).to.equal(true);
    });
  });
});
