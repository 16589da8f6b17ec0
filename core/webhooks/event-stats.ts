import { type EntityManager, IsNull } from "typeorm";
import {
  type AttemptOutcome,
  OutboxEvent,
  WebhookDelivery,
  databaseNow,
} from "../storage/database/index.js";

/** Deliveries under way, over all processes. */
export interface Backlog {
  /** Recorded events whose deliveries are not made yet. */
  unrelayed: number;
  /** Deliveries with an attempt that is due or planned. */
  pending: number;
  /** Those that wait for their batch. */
  held: number;
  /** For how long the oldest due attempt has waited; 0 when none is due. */
  oldestDueSeconds: number;
}

export interface EventStats extends Backlog {
  /** Attempts that this process has made, by how they ended. */
  attempts: Record<AttemptOutcome, number>;
}

/** @param read a snapshot, or an event could be counted twice or not at all. */
export async function backlogOf(read: EntityManager): Promise<Backlog> {
  const unrelayed = await read.countBy(OutboxEvent, { dispatchedAt: IsNull() });
  const pending = await read.countBy(WebhookDelivery, { status: "pending" });
  const held = await read.countBy(WebhookDelivery, { status: "held" });
  const oldest = await read.findOne(WebhookDelivery, {
    where: { status: "pending" },
    select: { id: true, nextAttemptAt: true },
    order: { nextAttemptAt: "ASC" },
  });
  const now = await databaseNow(read);
  const due = oldest?.nextAttemptAt?.getTime() ?? Infinity;
  const oldestDueSeconds = Math.max(0, (now.getTime() - due) / 1000);
  return { unrelayed, pending, held, oldestDueSeconds };
}
