import { LessThan, MoreThan } from "typeorm";
import type { Queue } from "../queue/index.js";
import {
  type Store,
  WebhookDelivery,
  databaseNow,
} from "../storage/database/index.js";
import type { CompletionGate } from "./completion-gate.js";
import { DELIVERY_JOB, deliveryJob } from "./delivery-job.js";

const chunk = 200;

/** A delivery that is so long past its time, though its endpoint is served in turns, may have lost its job. */
const forgottenAfterMs = 10 * 60_000;

interface Ports {
  store: Store;
  queue: Pick<Queue, "enqueue" | "nudge">;
  gate: CompletionGate;
}

/** Finds what a crash left between two commits: gates that nobody asked again, and deliveries without a job. */
export async function sweepDeliveries(
  ports: Ports,
  signal: AbortSignal,
): Promise<void> {
  await openGates(ports, signal);
  await wakeForgotten(ports);
}

/** Also those whose wait is over. */
async function openGates(
  { store, gate }: Ports,
  signal: AbortSignal,
): Promise<void> {
  let last = "";
  while (!signal.aborted) {
    const held = await store.read.find(WebhookDelivery, {
      where: { status: "held", id: MoreThan(last) },
      select: { id: true, endpointId: true, batchId: true },
      order: { id: "ASC" },
      take: chunk,
    });
    for (const { endpointId, batchId } of held)
      if (batchId !== null) await gate.release({ endpointId, batchId });
    if (held.length < chunk) return;
    last = held.at(-1)?.id ?? "";
  }
}

/** Each of them once in a while: their job may be there all the same. */
async function wakeForgotten({ store, queue }: Ports): Promise<void> {
  const count = await store.unitOfWork.run(async (tx) => {
    const now = await databaseNow(tx);
    const limit = new Date(now.getTime() - forgottenAfterMs);
    const rows = await tx.find(WebhookDelivery, {
      where: { status: "pending", nextAttemptAt: LessThan(limit) },
      select: { id: true, endpointId: true },
      order: { nextAttemptAt: "ASC" },
      take: chunk,
    });
    await queue.enqueue(tx, rows.map(deliveryJob));
    for (const { id } of rows)
      await tx.update(
        WebhookDelivery,
        { id, status: "pending" },
        { nextAttemptAt: now },
      );
    return rows.length;
  });
  if (count > 0) queue.nudge(DELIVERY_JOB);
}
