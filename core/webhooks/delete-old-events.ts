import { In, LessThan } from "typeorm";
import {
  OutboxEvent,
  type Store,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEndpoint,
} from "../storage/database/index.js";

const chunk = 500;

/**
 * Deletes deliveries that ended before `limit`, with their attempts; then events that are as old and have no delivery
 * left, and deleted endpoints without any.
 */
export async function deleteOldEvents(
  store: Store,
  limit: Date,
  signal: AbortSignal,
): Promise<void> {
  const steps = [oldDeliveries, oldEvents, deletedEndpoints];
  for (const step of steps)
    while (!signal.aborted) if ((await step(store, limit)) < chunk) break;
}

async function oldDeliveries(store: Store, limit: Date): Promise<number> {
  const rows = await store.read.find(WebhookDelivery, {
    where: { completedAt: LessThan(limit) },
    select: { id: true },
    order: { completedAt: "ASC" },
    take: chunk,
  });
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  await store.unitOfWork.run(async (tx) => {
    // One that was replayed meanwhile stays, and so does its history.
    const ended = { id: In(ids), completedAt: LessThan(limit) };
    const found = await tx.find(WebhookDelivery, {
      where: ended,
      select: { id: true },
    });
    const old = found.map(({ id }) => id);
    await tx.delete(WebhookAttempt, { deliveryId: In(old) });
    await tx.delete(WebhookDelivery, { id: In(old) });
  });
  return rows.length;
}

async function oldEvents(store: Store, limit: Date): Promise<number> {
  const rows = await store.read
    .createQueryBuilder(OutboxEvent, "event")
    .select("event.id", "id")
    .leftJoin(WebhookDelivery, "delivery", "delivery.eventId = event.id")
    .where("event.createdAt < :limit", { limit })
    .andWhere("event.dispatchedAt IS NOT NULL")
    .andWhere("delivery.id IS NULL")
    .orderBy("event.createdAt", "ASC")
    .limit(chunk)
    .getRawMany<{ id: string }>();
  if (rows.length === 0) return 0;
  await store.unitOfWork.run(async (tx) => {
    await tx.delete(OutboxEvent, { id: In(rows.map(({ id }) => id)) });
  });
  return rows.length;
}

async function deletedEndpoints(store: Store, limit: Date): Promise<number> {
  const rows = await store.read.find(WebhookEndpoint, {
    where: { deletedAt: LessThan(limit) },
    select: { id: true },
    take: chunk,
  });
  for (const { id } of rows)
    await store.unitOfWork.run(async (tx) => {
      const isUsed = await tx.existsBy(WebhookDelivery, { endpointId: id });
      if (!isUsed) await tx.delete(WebhookEndpoint, { id });
    });
  // Those with deliveries under way stay for the next time, so this is one pass.
  return 0;
}
