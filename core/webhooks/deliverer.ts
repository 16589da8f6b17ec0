import { createHmac, randomBytes } from "node:crypto";
import { type EntityManager, IsNull, LessThanOrEqual } from "typeorm";
import { recordAudit, service } from "../accounts/index.js";
import type { Outbound } from "../lib/outbound/index.js";
import { PlatenError } from "../plugin-api/index.js";
import type { JobOutcome, RunningJob } from "../queue/index.js";
import {
  type AttemptOutcome,
  getDatabaseTime,
  GroupCommit,
  insertRow,
  newId,
  OutboxEvent,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEndpoint,
  type DeliveryNotes,
} from "../storage/database/index.js";
import type { CompletionGate } from "./completion-gate.js";
import {
  TEST_EVENT,
  WHILE_DISABLED,
  type EventPorts,
  type EventSettings,
} from "./events.js";

/** A delivery that is due later than this is early: its job was woken before its time. */
const toleranceMs = 1000;
/** Responses that arrive within a short time are recorded together. */
const recordGroup = { gatherMs: 10, most: 16 };
const dayMs = 24 * 60 * 60_000;

/** A delivery with everything that an attempt needs. */
interface DeliveryContext {
  delivery: WebhookDelivery;
  event: OutboxEvent;
  endpoint: WebhookEndpoint;
}

/** An attempt that is not recorded yet. */
interface Attempt {
  context: DeliveryContext;
  /** Null when nothing was sent, because the endpoint is disabled. */
  result: AttemptResult | null;
  completeJob: RunningJob["complete"];
}

/**
 * Attempts deliveries. An attempt that a crash interrupted is repeated with the same `webhook-id`, by which the receiver
 * recognizes it.
 */
export class Deliverer {
  readonly #records: GroupCommit<Attempt, number | null>;
  /** Attempts of this process, by outcome. */
  readonly counts: Record<AttemptOutcome, number> = {
    delivered: 0,
    refused: 0,
    unreachable: 0,
  };

  constructor(
    private readonly ports: EventPorts,
    private readonly gate: CompletionGate,
  ) {
    this.#records = new GroupCommit(
      ports.store.unitOfWork,
      async (tx, attempts) => {
        const now = await getDatabaseTime(tx);
        const waits: (number | null)[] = [];
        for (const attempt of attempts)
          waits.push(await recordAttempt(tx, attempt, now, ports.settings));
        return waits;
      },
      recordGroup,
    );
  }

  /** Makes one attempt, unless the delivery has ended or is not due yet. */
  async run(job: RunningJob): Promise<JobOutcome> {
    const context = await this.load(job.rowId);
    if (context === null || context.delivery.status !== "pending") return;
    const early = await this.#getTimeUntilDue(context.delivery);
    if (early > 0) return { again: early };
    const next = await this.attempt(context, (tx) => job.complete(tx));
    return next === null ? undefined : { again: next };
  }

  /** Makes and records one attempt. @returns the milliseconds until the next one; null when the delivery has ended. */
  async attempt(
    context: DeliveryContext,
    completeJob: RunningJob["complete"],
  ): Promise<number | null> {
    const { delivery } = context;
    const { id: deliveryId, endpointId, batchId } = delivery;
    const result = canSend(context) ? await this.#send(context) : null;
    if (result !== null) this.counts[result.outcome] += 1;
    const wait = await this.#records.run({ context, result, completeJob });
    this.ports.log.debug(
      { deliveryId, endpointId, batchId, ...result, body: null },
      "webhook attempt",
    );
    if (wait === null && batchId !== null)
      await this.gate.release({ endpointId, batchId });
    return wait;
  }

  /** Null when the row is gone. */
  async load(id: string): Promise<DeliveryContext | null> {
    const { read } = this.ports.store;
    const delivery = await read.findOneBy(WebhookDelivery, { id });
    if (delivery === null) return null;
    const [event, endpoint] = await Promise.all([
      read.findOneByOrFail(OutboxEvent, { id: delivery.eventId }),
      read.findOneByOrFail(WebhookEndpoint, { id: delivery.endpointId }),
    ]);
    return { delivery, event, endpoint };
  }

  /** Reads the database's clock only when the local clock, which may be wrong, says that it is early. */
  async #getTimeUntilDue({ nextAttemptAt }: WebhookDelivery): Promise<number> {
    const due = nextAttemptAt?.getTime() ?? 0;
    if (due <= Date.now() + toleranceMs) return 0;
    const now = await getDatabaseTime(this.ports.store.read);
    const early = due - now.getTime();
    return early > toleranceMs ? early : 0;
  }

  async #send({
    delivery: { id, notes },
    event,
    endpoint,
  }: DeliveryContext): Promise<AttemptResult> {
    const { outbound, settings, userAgent, log } = this.ports;
    const sentAt = new Date();
    try {
      const body = writeMessage(event, notes);
      const secrets = await this.#openSecrets(endpoint, sentAt);
      const headers = {
        "content-type": "application/json",
        "user-agent": userAgent,
        ...signHeaders(secrets, { id, sentAt, body }),
      };
      const message = { url: endpoint.url, headers, body };
      const { organizationId } = endpoint;
      return await sendMessage(
        await outbound.forOrganization(organizationId),
        message,
        settings.timeoutMs,
      );
    } catch (error) {
      if (!(error instanceof PlatenError))
        log.error({ err: error, deliveryId: id }, "could not send a webhook");
      return toUnsentResult(error, sentAt);
    }
  }

  #openSecrets(
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

/** A test is sent even when the endpoint is disabled. */
function canSend({ endpoint, event }: DeliveryContext): boolean {
  if (endpoint.deletedAt !== null) return false;
  return endpoint.isEnabled || event.type === TEST_EVENT;
}

/**
 * Records an attempt with its delivery, its endpoint's health and its job.
 * @returns the milliseconds until the next attempt; null when the delivery has ended.
 */
async function recordAttempt(
  tx: EntityManager,
  { context, result, completeJob }: Attempt,
  now: Date,
  settings: EventSettings,
): Promise<number | null> {
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
  if (wait === null) await completeJob(tx);
  if (result === null) return null;
  await insertRow(tx, WebhookAttempt, {
    id: newId(),
    deliveryId: id,
    number: attempts + 1,
    url: endpoint.url,
    outcome: result.outcome,
    responseStatus: result.status,
    responseBody: result.body,
    error: result.error,
    durationMs: result.durationMs,
    createdAt: result.startedAt,
  });
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
  return Math.round(Math.max(jittered, retryAfterMs ?? 0));
}

/** Receivers are built for small messages: Standard Webhooks recommends less than 20 kB. */
const maxMessageBytes = 20_000;
const maxErrorLength = 2000;
const maxListItems = 20;
const maxResponseBytes = 16 * 1024;

type Data = OutboxEvent["data"];

/** What is shortened, in this order, until the message is small enough. */
const cuts: Record<string, (data: Data) => unknown> = {
  metadata: () => ({}),
  error: ({ error }) => String(error).slice(0, maxErrorLength),
  outputs: ({ outputs }) => takeFirst(outputs),
  submitters: ({ submitters }) => takeFirst(submitters),
};

/**
 * The body of a delivery, less than 20 kB: `data` is the event's payload, with the delivery's notes beside it.
 * `truncated` lists the names of shortened fields.
 */
export function writeMessage(
  {
    type,
    createdAt,
    ...event
  }: Pick<OutboxEvent, "type" | "data" | "createdAt">,
  notes: DeliveryNotes | null,
): string {
  const truncated = [...(notes?.truncated ?? [])];
  const write = (data: Data) =>
    JSON.stringify({
      type,
      timestamp: createdAt.toISOString(),
      data,
      ...notes,
      ...(truncated.length > 0 && { truncated }),
    });
  let { data } = event;
  for (const [name, cut] of Object.entries(cuts)) {
    if (Buffer.byteLength(write(data)) < maxMessageBytes) break;
    if (!(name in data)) continue;
    data = { ...data, [name]: cut(data) };
    truncated.push(name);
  }
  return write(data);
}

function takeFirst(list: unknown): unknown[] {
  return Array.isArray(list) ? list.slice(0, maxListItems) : [];
}

// Signatures by Standard Webhooks 1.0.0: https://www.standardwebhooks.com

const secretPrefix = "whsec_";

/** A new secret of 256 random bits. */
export function createSecret(): string {
  return secretPrefix + randomBytes(32).toString("base64");
}

/** The headers of a delivery, with a signature by each secret; there are two after a rotation. */
function signHeaders(
  secrets: readonly string[],
  { id, sentAt, body }: { id: string; sentAt: Date; body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), "base64");
    const hmac = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`);
    return `v1,${hmac.digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

/** The result of one attempt. */
interface AttemptResult {
  outcome: AttemptOutcome;
  status: number | null;
  /** The first 16 kB of the response; null without a response, and when it comes from a private network. */
  body: string | null;
  /** Why it failed; null when it succeeded. */
  error: string | null;
  retryAfterMs: number | null;
  startedAt: Date;
  durationMs: number;
}

/** Sends once and follows no redirect. @throws PlatenError when there is no response. */
async function sendMessage(
  outbound: Pick<Outbound, "fetch">,
  {
    url,
    headers,
    body,
  }: { url: string; headers: Record<string, string>; body: string },
  timeoutMs: number,
): Promise<AttemptResult> {
  const startedAt = new Date();
  const reply = await outbound.fetch(url, {
    method: "POST",
    headers,
    body,
    timeoutMs,
    maxBytes: maxResponseBytes,
    whenLarger: "cut",
  });
  const error = describeFailure(reply.status);
  const now = new Date();
  return {
    outcome: error === null ? "delivered" : "refused",
    status: reply.status,
    // What a private network answers is not for everybody who may read deliveries.
    body: reply.isPrivate ? null : reply.body.toString("utf8"),
    error,
    retryAfterMs: parseRetryAfter(reply.headers["retry-after"], now),
    startedAt,
    durationMs: now.getTime() - startedAt.getTime(),
  };
}

function describeFailure(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return `The receiver answered ${status}, a redirect, which is not followed. Set the endpoint's url to the redirect's target.`;
  return `The receiver answered ${status}; only 2xx counts as success.`;
}

/** The milliseconds in a `Retry-After` header, at most a day; null when it is missing or invalid. */
function parseRetryAfter(header: string | undefined, now: Date): number | null {
  const text = header?.trim();
  if (!text) return null;
  const wait = /^\d+$/.test(text)
    ? Number(text) * 1000
    : Date.parse(text) - now.getTime();
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), dayMs);
}

/** The result of an attempt that did not reach its receiver. */
function toUnsentResult(error: unknown, startedAt: Date): AttemptResult {
  return {
    outcome: "unreachable",
    status: null,
    body: null,
    error:
      error instanceof PlatenError
        ? error.message
        : "The message could not be sent because of an unexpected error.",
    retryAfterMs: null,
    startedAt,
    durationMs: Date.now() - startedAt.getTime(),
  };
}
