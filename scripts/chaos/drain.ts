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

const pollMs = 200;

/** Waits until no work is left. @returns the remaining work after the timeout; null when there is none. */
export async function waitUntilDrained(
  { read }: Pick<Store, "read">,
  timeoutMs: number,
): Promise<string | null> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const left = await findRemainingWork(read);
    if (left === null || Date.now() > end) return left;
    await pause(pollMs);
  }
}

async function findRemainingWork(read: Store["read"]): Promise<string | null> {
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
    // Locks of killed processes remain until their leases end.
    locks: await read.countBy(Job, { lockToken: Not(IsNull()) }),
  };
  const left = Object.entries(counts).filter(([, count]) => count > 0);
  if (left.length === 0) return null;
  return left.map(([name, count]) => `${count} ${name}`).join(", ");
}
