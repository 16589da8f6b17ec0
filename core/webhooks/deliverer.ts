import { type EntityManager, IsNull, LessThanOrEqual } from "typeorm";
import type { Outbound } from "../lib/outbound/index.js";
import type { SecretBox } from "../lib/secrets.js";
import { type Log, PlatenError } from "../plugin-api/index.js";
import type { JobOutcome, RunningJob } from "../queue/index.js";
import {
  GroupCommit,
  OutboxEvent,
  type Store,
  WebhookDelivery,
  WebhookEndpoint,
  databaseNow,
  insertRow,
  newId,
  WebhookAttempt,
} from "../storage/database/index.js";
import type { CompletionGate } from "./completion-gate.js";
import type {
  AttemptCounts,
  EventSettings,
  NoteAct,
  EventActor,
} from "./create-events.js";
import { TEST_EVENT } from "./events.js";
import {
  messageOf,
  type AttemptResult,
  sendMessage,
  unsent,
  signedHeaders,
} from "./message.js";

/** Beyond this, a delivery's time is not yet come: its job was woken early. */
const toleranceMs = 1000;

/** Answers that come so close together are recorded together. */
const together = { gatherMs: 10, most: 16 };

interface Ports {
  store: Store;
  outbound: Pick<Outbound, "fetch">;
  secrets: SecretBox;
  gate: CompletionGate;
  counts: AttemptCounts;
  noteAct: NoteAct;
  settings: EventSettings;
  log: Log;
  userAgent: string;
}

/**
 * Makes the attempts. An attempt that a crash cut off is made again under the same `webhook-id`, by which the receiver
 * knows it.
 */
export class Deliverer {
  readonly #settled: GroupCommit<MadeAttempt, number | null>;

  constructor(private readonly ports: Ports) {
    this.#settled = new GroupCommit(
      ports.store.unitOfWork,
      (tx, attempts) => settleAttempts(tx, attempts, ports),
      together,
    );
  }

  /** What a job does: one attempt, unless the delivery has ended or its time is not yet come. */
  async run(job: RunningJob): Promise<JobOutcome> {
    const parcel = await this.load(job.rowId);
    if (parcel === null || parcel.delivery.status !== "pending") return;
    const early = await this.untilDue(parcel.delivery);
    if (early > 0) return { again: early };
    const next = await this.attempt(parcel, (tx) => job.complete(tx));
    return next === null ? undefined : { again: next };
  }

  /** One attempt and its record. @returns in how many milliseconds the next one is due; null when it has ended. */
  async attempt(
    parcel: Parcel,
    forget: RunningJob["complete"],
  ): Promise<number | null> {
    const { gate, counts, log } = this.ports;
    const { delivery } = parcel;
    const { endpointId, batchId } = delivery;
    const result = isOpen(parcel) ? await this.send(parcel) : null;
    if (result !== null) counts.add(result.outcome);
    const wait = await this.#settled.run({ parcel, result, forget });
    log.debug(
      { deliveryId: delivery.id, endpointId, batchId, ...result, body: null },
      "webhook attempt",
    );
    if (wait === null && batchId !== null)
      await gate.release({ endpointId, batchId });
    return wait;
  }

  /** Null when the row is gone. */
  async load(id: string): Promise<Parcel | null> {
    const { read } = this.ports.store;
    const delivery = await read.findOneBy(WebhookDelivery, { id });
    if (delivery === null) return null;
    const [event, endpoint] = await Promise.all([
      read.findOneByOrFail(OutboxEvent, { id: delivery.eventId }),
      read.findOneByOrFail(WebhookEndpoint, { id: delivery.endpointId }),
    ]);
    return { delivery, event, endpoint };
  }

  /** The database is asked only when our own clock says that it is early: ours may be wrong. */
  private async untilDue({ nextAttemptAt }: WebhookDelivery): Promise<number> {
    const due = nextAttemptAt?.getTime() ?? 0;
    if (due <= Date.now() + toleranceMs) return 0;
    const now = await databaseNow(this.ports.store.read);
    const early = due - now.getTime();
    return early > toleranceMs ? early : 0;
  }

  private async send({
    delivery,
    event,
    endpoint,
  }: Parcel): Promise<AttemptResult> {
    const { outbound, settings, userAgent } = this.ports;
    const sentAt = new Date();
    try {
      const body = messageOf(event, delivery.notes);
      const message = { id: delivery.id, sentAt, body };
      const headers = {
        "content-type": "application/json",
        "user-agent": userAgent,
        ...signedHeaders(await this.secretsOf(endpoint, sentAt), message),
      };
      const outgoing = { url: endpoint.url, headers, body };
      return await sendMessage(outbound, outgoing, settings.timeoutMs);
    } catch (error) {
      if (!(error instanceof PlatenError))
        this.ports.log.error(
          { err: error, deliveryId: delivery.id },
          "a webhook was not sent",
        );
      return unsent(error, sentAt);
    }
  }

  private async secretsOf(
    { id, secret, previousSecret, previousSecretUntil }: WebhookEndpoint,
    now: Date,
  ): Promise<string[]> {
    const hasPrevious =
      previousSecret !== null &&
      previousSecretUntil !== null &&
      previousSecretUntil > now;
    const sealed = hasPrevious ? [secret, previousSecret] : [secret];
    return Promise.all(sealed.map((text) => this.ports.secrets.open(text, id)));
  }
}

/** A test goes out whether the endpoint is enabled or not. */
function isOpen({ endpoint, event }: Parcel): boolean {
  if (endpoint.deletedAt !== null) return false;
  return endpoint.isEnabled || event.type === TEST_EVENT;
}

/** A delivery with all that an attempt needs. */
export interface Parcel {
  delivery: WebhookDelivery;
  event: OutboxEvent;
  endpoint: WebhookEndpoint;
}

const gone = 410;
const atOnce = 0;

/** An attempt that was made, and what is known of it before its record. */
interface MadeAttempt {
  parcel: Parcel;
  /** Null when nothing was sent, since the endpoint is disabled. */
  result: AttemptResult | null;
  forget: RunningJob["complete"];
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
async function settleAttempts(
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

const dayMs = 24 * 60 * 60_000;
const service: EventActor = { origin: "service", userId: null, keyId: null };

/**
 * Keeps since when an endpoint has failed every attempt, and disables one that has for too long, or that says it is
 * gone. A test says nothing of an endpoint's health.
 */
async function noteHealth(
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

/**
 * How long to wait after `failures` failed attempts, in milliseconds: the schedule's wait, up to a fifth more or less
 * so that what failed together does not come back together; longer when the receiver asked for it. Null: give up.
 */
function retryWait(
  schedule: readonly number[],
  failures: number,
  retryAfterMs: number | null,
): number | null {
  const planned = schedule[failures - 1];
  if (planned === undefined) return null;
  const jittered = planned * (0.8 + Math.random() * 0.4);
  return Math.round(Math.max(jittered, retryAfterMs ?? 0));
}

/** Milliseconds that a `Retry-After` header asks for, a day at most; null for none or one that says nothing. */
export function parseRetryAfter(
  header: string | undefined,
  now: Date,
): number | null {
  const text = header?.trim();
  if (!text) return null;
  const wait = /^\d+$/.test(text)
    ? Number(text) * 1000
    : Date.parse(text) - now.getTime();
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), dayMs);
}

/** Why a delivery was not tried. */
export const WHILE_DISABLED =
  "The endpoint was disabled or deleted before this could be sent.";
