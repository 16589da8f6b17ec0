import {
  Batch,
  Document,
  OutboxEvent,
} from "../../../core/storage/database/index.js";
import { countEach, type Evidence, type Loss } from "./evidence.js";

/** Nothing is there but the accepted batches; each is completed, which one event tells with the right numbers. */
export async function checkBatches({
  store: { read },
  accepted,
}: Evidence): Promise<Loss[]> {
  const batches = await read.find(Batch);
  const type = "documents.completed";
  const events = await read.findBy(OutboxEvent, { type });
  const told = countEach(events.map(({ batchId }) => batchId ?? ""));
  const losses: Loss[] = [];
  for (const { id, status, remaining } of batches) {
    if (status !== "completed" || remaining !== 0)
      losses.push({ kind: "batch not completed", what: `${id} is ${status}` });
    const times = told.get(id) ?? 0;
    if (times !== 1)
      losses.push({
        kind: "batch not told once",
        what: `${id}: ${times} times`,
      });
  }
  for (const event of events)
    losses.push(...(await wrongNumbers(event, { read })));
  return [...losses, ...strangers(batches, accepted)];
}

async function wrongNumbers(
  { batchId, data }: OutboxEvent,
  { read }: Pick<Evidence["store"], "read">,
): Promise<Loss[]> {
  const count = (status: "succeeded" | "failed" | "expired") =>
    read.countBy(Document, { batchId: batchId ?? "", status });
  const expected = [
    await count("succeeded"),
    await count("failed"),
    await count("expired"),
  ].join();
  const said = [
    data.succeededCount,
    data.failedCount,
    data.expiredCount,
  ].join();
  const what = `${String(batchId)}: ${said} instead of ${expected}`;
  return said === expected ? [] : [{ kind: "batch told wrongly", what }];
}

function strangers(
  batches: readonly Batch[],
  accepted: Evidence["accepted"],
): Loss[] {
  const known = new Set(accepted.map(({ batchId }) => batchId));
  const there = new Set(batches.map(({ id }) => id));
  return [
    ...batches
      .filter(({ id }) => !known.has(id))
      .map(({ id }) => ({ kind: "batch accepted twice", what: id })),
    ...accepted
      .filter(({ batchId }) => !there.has(batchId))
      .map(({ batchId }) => ({ kind: "batch missing", what: batchId })),
  ];
}
