import { type EntityManager, IsNull, LessThanOrEqual } from "typeorm";
import { WebhookEndpoint } from "../storage/database/index.js";
import type { EventSettings } from "./event-settings.js";
import { TEST_EVENT } from "./events.js";
import type { Parcel } from "./parcel.js";
import type { EventActor, NoteAct } from "./ports.js";
import type { AttemptResult } from "./send-message.js";

const dayMs = 24 * 60 * 60_000;
const gone = 410;
const service: EventActor = { origin: "service", userId: null, keyId: null };

/**
 * Keeps since when an endpoint has failed every attempt, and disables one that has for too long, or that says it is
 * gone. A test says nothing of an endpoint's health.
 */
export async function noteHealth(
  tx: EntityManager,
  { endpoint, event }: Parcel,
  { outcome, status }: AttemptResult,
  now: Date,
  settling: { settings: EventSettings; noteAct: NoteAct },
): Promise<void> {
  const { id } = endpoint;
  if (event.type === TEST_EVENT) return;
  if (outcome === "delivered") {
    if (endpoint.failingSince !== null)
      await tx.update(WebhookEndpoint, { id }, { failingSince: null });
    return;
  }
  if (status === gone) return disable(tx, endpoint, now, settling, {});
  if (endpoint.failingSince === null) {
    const healthy = { id, failingSince: IsNull() };
    await tx.update(WebhookEndpoint, healthy, { failingSince: now });
    return;
  }
  const limit = new Date(now.getTime() - settling.settings.disableAfterMs);
  if (endpoint.failingSince <= limit)
    await disable(tx, endpoint, now, settling, { limit });
}

/** With a `limit`, only an endpoint that has failed since then: another attempt may have gone well meanwhile. */
async function disable(
  tx: EntityManager,
  { id, organizationId }: WebhookEndpoint,
  now: Date,
  { settings, noteAct }: { settings: EventSettings; noteAct: NoteAct },
  { limit }: { limit?: Date },
): Promise<void> {
  const disabledReason = limit
    ? `Every attempt failed for ${daysOf(settings.disableAfterMs)}.`
    : "The receiver answered 410: it is gone for good.";
  const { affected } = await tx.update(
    WebhookEndpoint,
    {
      id,
      isEnabled: true,
      ...(limit && { failingSince: LessThanOrEqual(limit) }),
    },
    { isEnabled: false, disabledReason, disabledAt: now, updatedAt: now },
  );
  if (affected !== 1) return;
  await noteAct(tx, service, {
    organizationId,
    action: "webhook.disabled",
    subject: id,
    details: { reason: disabledReason },
  });
}

function daysOf(milliseconds: number): string {
  const days = Math.round((milliseconds / dayMs) * 10) / 10;
  return days === 1 ? "1 day" : `${days} days`;
}
