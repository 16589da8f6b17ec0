import type { EntityManager } from "typeorm";
import type { RunningJob } from "../queue/index.js";
import {
  insertRow,
  newId,
  WebhookAttempt,
  WebhookDelivery,
  databaseNow,
} from "../storage/database/index.js";
import { noteHealth } from "./endpoint-health.js";
import type { EventSettings } from "./event-settings.js";
import { TEST_EVENT } from "./events.js";
import type { Parcel } from "./parcel.js";
import type { NoteAct } from "./ports.js";
import { retryWait } from "./retry-wait.js";
import type { AttemptResult } from "./send-message.js";
import { WHILE_DISABLED } from "./while-disabled.js";

const gone = 410;
const atOnce = 0;

/** An attempt that was made, and what is known of it before its record. */
export interface MadeAttempt {
  parcel: Parcel;
  /** Null when nothing was sent, since the endpoint is disabled. */
  result: AttemptResult | null;
  forget: RunningJob["forget"];
}

interface Settling {
  settings: EventSettings;
  noteAct: NoteAct;
}

/**
 * Records how attempts ended that end close together: each one's delivery, the attempt, the endpoint's health and the
 * job. When another run has recorded one meanwhile, this one is not recorded, and the delivery is looked at again.
 * @returns for each, in how many milliseconds the next attempt is due; null when the delivery has ended.
 */
export async function settleAttempts(
  tx: EntityManager,
  attempts: readonly MadeAttempt[],
  settling: Settling,
): Promise<(number | null)[]> {
  const now = await databaseNow(tx);
  const waits: (number | null)[] = [];
  for (const attempt of attempts)
    waits.push(await settleAttempt(tx, attempt, now, settling));
  return waits;
}

async function settleAttempt(
  tx: EntityManager,
  { parcel, result, forget }: MadeAttempt,
  now: Date,
  settling: Settling,
): Promise<number | null> {
  const { delivery } = parcel;
  const wait = result && waitAfter(parcel, result, settling.settings);
  const { affected } = await tx.update(
    WebhookDelivery,
    { id: delivery.id, status: "pending", attempts: delivery.attempts },
    { ...endOf(result, wait, now), ...countOf(delivery, result) },
  );
  // The job stays, and its next run sees what the other one left: that one's own job was this.
  if (affected !== 1) return atOnce;
  if (wait === null) await forget(tx);
  if (result === null) return null;
  await insertRow(tx, WebhookAttempt, attemptRow(parcel, result));
  await noteHealth(tx, parcel, result, now, settling);
  return wait;
}

/** A good answer ends a delivery; so do the end of the schedule, a receiver that is gone for good, and a test. */
function waitAfter(
  { delivery, event }: Parcel,
  { outcome, status, retryAfterMs }: AttemptResult,
  { schedule }: EventSettings,
): number | null {
  if (outcome === "delivered" || status === gone || event.type === TEST_EVENT)
    return null;
  return retryWait(schedule, delivery.tries + 1, retryAfterMs);
}

function endOf(result: AttemptResult | null, wait: number | null, now: Date) {
  const isDelivered = result?.outcome === "delivered";
  return {
    ...(wait === null && {
      status: isDelivered ? ("delivered" as const) : ("exhausted" as const),
    }),
    nextAttemptAt: wait === null ? null : new Date(now.getTime() + wait),
    completedAt: wait === null ? now : null,
    lastError: result === null ? WHILE_DISABLED : result.error,
    updatedAt: now,
  };
}

function countOf(
  { attempts, tries }: WebhookDelivery,
  result: AttemptResult | null,
) {
  if (result === null) return {};
  return {
    attempts: attempts + 1,
    tries: tries + 1,
    lastStatus: result.status,
  };
}

function attemptRow({ delivery, endpoint }: Parcel, result: AttemptResult) {
  return {
    id: newId(),
    deliveryId: delivery.id,
    number: delivery.attempts + 1,
    url: endpoint.url,
    outcome: result.outcome,
    responseStatus: result.status,
    responseBody: result.body,
    error: result.error,
    durationMs: result.durationMs,
    createdAt: result.startedAt,
  };
}
