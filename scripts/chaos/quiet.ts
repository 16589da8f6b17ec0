import { setTimeout as pause } from "node:timers/promises";
import { In, IsNull, Not } from "typeorm";
import {
  Batch,
  Document,
  Job,
  OutboxEvent,
  type Store,
  WebhookDelivery,
} from "../../core/storage/database/index.js";

const lookMs = 200;

/** Waits until nothing is left to be done. @returns what still was when the patience ended; null when nothing. */
export async function untilQuiet(
  { read }: Pick<Store, "read">,
  patienceMs: number,
): Promise<string | null> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const left = await leftToDo(read);
    if (left === null || Date.now() > end) return left;
    await pause(lookMs);
  }
}

async function leftToDo(read: Store["read"]): Promise<string | null> {
  const counts = {
    documents: await read.countBy(Document, {
      status: In(["queued", "rendering"]),
    }),
    batches: await read.countBy(Batch, { status: Not("completed") }),
    events: await read.countBy(OutboxEvent, { dispatchedAt: IsNull() }),
    deliveries: await read.countBy(WebhookDelivery, {
      status: In(["pending", "held"]),
    }),
    jobs: await read.countBy(Job, { kind: In(["document", "webhook"]) }),
    // Those of killed processes are another's when their leases are over.
    locks: await read.countBy(Job, { lockToken: Not(IsNull()) }),
  };
  const left = Object.entries(counts).filter(([, count]) => count > 0);
  if (left.length === 0) return null;
  return left.map(([name, count]) => `${count} ${name}`).join(", ");
}
