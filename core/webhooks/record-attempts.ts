import { type EntityManager, IsNull, LessThanOrEqual } from "typeorm";
import { recordAudit, service } from "../accounts/index.js";
import { clock } from "../lib/clock.js";
import { PlatenError } from "../plugin-api/index.js";
import type { RunningJob } from "../queue/index.js";
import {
  type OutboxEvent,
  changeRows,
  formatDatetime,
  getDatabaseTime,
  insertRows,
  marks,
  newId,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEndpoint,
} from "../storage/database/index.js";
import {
  TEST_EVENT,
  WHILE_DISABLED,
  type EventPorts,
  type EventSettings,
} from "./events.js";
import { dayMs, type AttemptResult } from "./send-message.js";

/** A delivery with everything that an attempt needs. */
export interface DeliveryContext {
  delivery: WebhookDelivery;
  event: OutboxEvent;
  endpoint: WebhookEndpoint;
}

/** An attempt that is not recorded yet. */
export interface Attempt {
  context: DeliveryContext;
  /** Null when nothing was sent, because the endpoint is disabled. */
  result: AttemptResult | null;
  /** The job to complete with the delivery. */
  job: RunningJob | null;
}

/**
 * Records attempts with their deliveries, their endpoints' health and their jobs; those that succeeded with one statement
 * for each table.
 * @returns for each, the milliseconds until the next attempt; null when the delivery has ended.
 * @throws PlatenError `conflict` when one of several was overtaken, to which this is no answer for the others.
 */
export async function recordAttempts(
  tx: EntityManager,
  attempts: readonly Attempt[],
  { queue, settings }: EventPorts,
): Promise<(number | null)[]> {
  const now = await getDatabaseTime(tx);
  const together = attempts.length > 1 ? attempts.filter(isPlainSuccess) : [];
  await recordSuccesses(tx, together, now, queue);
  const waits: (number | null)[] = [];
  for (const attempt of attempts)
    waits.push(
      together.includes(attempt)
        ? null
        : await recordAttempt(tx, attempt, now, settings),
    );
  return waits;
}

/** Whether it changes nothing but its delivery and its job. */
function isPlainSuccess({ context, result }: Attempt): boolean {
  const { event, endpoint } = context;
  return (
    result?.outcome === "delivered" &&
    event.type !== TEST_EVENT &&
    endpoint.failingSince === null
  );
}

async function recordSuccesses(
  tx: EntityManager,
  attempts: readonly Attempt[],
  now: Date,
  queue: EventPorts["queue"],
): Promise<void> {
  const groups = new Map<string, Attempt[]>();
  for (const attempt of attempts) {
    const { context, result } = attempt;
    const key = `${context.delivery.attempts} ${result?.status}`;
    groups.set(key, [...(groups.get(key) ?? []), attempt]);
  }
  const at = formatDatetime(now);
  for (const group of groups.values()) {
    const [first] = group;
    if (!first) continue;
    const ids = group.map(({ context }) => context.delivery.id);
    const changed = await changeRows(
      tx,
      `UPDATE webhook_delivery SET status = 'delivered', next_attempt_at = NULL, completed_at = ?, last_error = NULL,
         attempts = attempts + 1, tries = tries + 1, last_status = ?, updated_at = ?
       WHERE status = 'pending' AND attempts = ? AND id IN (${marks(ids)})`,
      [
        at,
        first.result?.status ?? null,
        at,
        first.context.delivery.attempts,
        ...ids,
      ],
    );
    if (changed < group.length)
      throw new PlatenError(
        "conflict",
        "Another run has recorded an attempt of one of these deliveries.",
      );
  }
  await queue.complete(
    tx,
    attempts.flatMap(({ job }) => job ?? []),
  );
  await insertRows(tx, WebhookAttempt, attempts.flatMap(toAttemptRow));
}

function toAttemptRow({
  context: { delivery, endpoint },
  result,
}: Attempt): Omit<WebhookAttempt, never>[] {
  if (result === null) return [];
  return [
    {
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
    },
  ];
}

/**
 * Records an attempt with its delivery, its endpoint's health and its job.
 * @returns the milliseconds until the next attempt; null when the delivery has ended.
 */
async function recordAttempt(
  tx: EntityManager,
  attempt: Attempt,
  now: Date,
  settings: EventSettings,
): Promise<number | null> {
  const { context, result, job } = attempt;
  const { delivery, event, endpoint } = context;
  const { id, attempts, tries } = delivery;
  const isFinal =
    result?.outcome === "delivered" ||
    isGone(result) ||
    event.type === TEST_EVENT;
  const wait =
    result === null || isFinal
      ? null
      : getRetryWait(settings.schedule, tries + 1, result.retryAfterMs);
  const status = result?.outcome === "delivered" ? "delivered" : "exhausted";
  const { affected } = await tx.update(
    WebhookDelivery,
    { id, status: "pending", attempts },
    {
      ...(wait === null && { status }),
      nextAttemptAt: wait === null ? null : new Date(now.getTime() + wait),
      completedAt: wait === null ? now : null,
      lastError: result === null ? WHILE_DISABLED : result.error,
      ...(result !== null && {
        attempts: attempts + 1,
        tries: tries + 1,
        lastStatus: result.status,
      }),
      updatedAt: now,
    },
  );
  // Another run has recorded its attempt meanwhile. The job runs again at once and finds what that run left.
  if (affected !== 1) return 0;
  if (wait === null) await job?.complete(tx);
  if (result === null) return null;
  await insertRows(tx, WebhookAttempt, toAttemptRow(attempt));
  // A test says nothing about the endpoint's health.
  if (event.type !== TEST_EVENT)
    await updateHealth(tx, endpoint, result, now, settings);
  return wait;
}

function isGone(result: AttemptResult | null): boolean {
  return result?.status === 410;
}

/** Records since when every attempt has failed, and disables an endpoint that fails for too long or answers 410. */
async function updateHealth(
  tx: EntityManager,
  endpoint: WebhookEndpoint,
  result: AttemptResult,
  now: Date,
  settings: EventSettings,
): Promise<void> {
  const { id, failingSince } = endpoint;
  if (result.outcome === "delivered") {
    if (failingSince !== null)
      await tx.update(WebhookEndpoint, { id }, { failingSince: null });
    return;
  }
  if (isGone(result)) {
    const reason = "The receiver answered 410 Gone.";
    await disable(tx, endpoint, reason, null, now);
  } else if (failingSince === null) {
    const healthy = { id, failingSince: IsNull() };
    await tx.update(WebhookEndpoint, healthy, { failingSince: now });
  } else {
    const { disableAfterMs } = settings;
    const limit = new Date(now.getTime() - disableAfterMs);
    const reason = `Every attempt failed for ${formatDays(disableAfterMs)}.`;
    if (failingSince <= limit) await disable(tx, endpoint, reason, limit, now);
  }
}

/** @param limit disables the endpoint only if it is still failing since then; another attempt may have succeeded. */
async function disable(
  tx: EntityManager,
  { id, organizationId }: WebhookEndpoint,
  disabledReason: string,
  limit: Date | null,
  now: Date,
): Promise<void> {
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
  await recordAudit(tx, service, {
    organizationId,
    action: "webhook.disabled",
    subject: id,
    details: { reason: disabledReason },
  });
}

function formatDays(milliseconds: number): string {
  const days = Math.round((milliseconds / dayMs) * 10) / 10;
  return days === 1 ? "1 day" : `${days} days`;
}

/**
 * The wait after `failures` failed attempts, in milliseconds: the schedule's, with 20% jitter so that simultaneous
 * failures are not retried simultaneously; longer when the receiver requested it. Null: give up.
 */
function getRetryWait(
  schedule: readonly number[],
  failures: number,
  retryAfterMs: number | null,
): number | null {
  const planned = schedule[failures - 1];
  if (planned === undefined) return null;
  const jittered = planned * (0.8 + Math.random() * 0.4);
  return Math.round(clock.pause(Math.max(jittered, retryAfterMs ?? 0)));
}
