import type { EntityManager } from "typeorm";
import { insertRows, newId, OutboxEvent } from "../storage/database/index.js";
import type { ServiceEvent } from "./events.js";

/**
 * Writes an event in the transaction that makes it true: neither is there without the other. Of a batch,
 * `documents.completed` is to be recorded with its last document's event or after it.
 */
export async function recordEvent(
  tx: EntityManager,
  event: ServiceEvent,
): Promise<void> {
  await recordEvents(tx, [event]);
}

/** Many at once, in their order; no event at all is no error. */
export async function recordEvents(
  tx: EntityManager,
  events: readonly ServiceEvent[],
): Promise<void> {
  await insertRows(tx, OutboxEvent, events.map(rowOf));
}

function rowOf({ type, data }: ServiceEvent) {
  return {
    id: newId(),
    organizationId: data.organizationId,
    type,
    batchId: data.batchId,
    documentId: "documentId" in data ? data.documentId : null,
    data: { ...data },
    createdAt: new Date(),
    dispatchedAt: null,
  };
}
