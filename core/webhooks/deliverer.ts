import {
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { type EntityManager, In, IsNull, LessThanOrEqual } from "typeorm";
import { recordAudit, service } from "../accounts/index.js";
import { clock } from "../lib/clock.js";
import type { Outbound } from "../lib/outbound/index.js";
import { PlatenError } from "../plugin-api/index.js";
import type { JobOutcome, RunningJob, TakenJob } from "../queue/index.js";
import {
  type AttemptOutcome,
  changeRows,
  formatDatetime,
  getDatabaseTime,
  getTimeUntilDue,
  GroupCommit,
  insertRows,
  marks,
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

/** Responses that arrive within a short time are recorded together. */
const recordGroup = { gatherMs: 25, most: 64 };
/** An attempt at a receiver that answers quickly is followed by as many others as probably take this long in all. */
const inTurnMs = 1000;
const maxInTurn = 50;
/** For so long, attempts use what was read of their endpoint; its owner may change it. */
const channelMs = 100;
const dayMs = 24 * 60 * 60_000;

/** A delivery with everything that an attempt needs. */
interface DeliveryContext {
  delivery: WebhookDelivery;
  event: OutboxEvent;
  endpoint: WebhookEndpoint;
}

/** How an endpoint is reached. */
interface Channel {
  endpoint: WebhookEndpoint;
  readAt: number;
  /** Opened by the first attempt. */
  open: () => Promise<{
    outbound: Pick<Outbound, "fetch">;
    /** Of the secrets that sign; there are two after a rotation. */
    keys: readonly KeyObject[];
  }>;
}

/** An attempt that is not recorded yet. */
interface Attempt {
  context: DeliveryContext;
  /** Null when nothing was sent, because the endpoint is disabled. */
  result: AttemptResult | null;
  /** The job to complete with the delivery. */
  job: RunningJob | null;
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
      (tx, attempts) => recordAttempts(tx, attempts, ports),
      recordGroup,
    );
  }

  /**
   * Makes one attempt, unless the delivery has ended or is not due yet. If the receiver took it at once, attempts at the
   * same endpoint follow, one after the other.
   */
  async run(job: RunningJob): Promise<JobOutcome> {
    const context = await this.load(job.rowId);
    if (context === null || context.delivery.status !== "pending") return;
    const early = await getTimeUntilDue(
      this.ports.store.read,
      context.delivery,
    );
    if (early > 0) return { again: early };
    const channel = this.#createChannel(context.endpoint);
    const result = await this.#attempt(context, channel);
    const others = await this.#takeMore(job, result, channel.readAt);
    // This job is not completed before the others have ended, since it counts for all of them.
    const record = this.#record({
      context,
      result,
      job: others.length > 0 ? null : job,
    });
    const inTurn = others.length > 0 && this.#runInTurn(others, channel);
    await Promise.allSettled([record, inTurn]);
    await inTurn;
    return toOutcome(await record);
  }

  /** Makes and records one attempt of a delivery that has no job. */
  async attempt(context: DeliveryContext): Promise<void> {
    const channel = this.#createChannel(context.endpoint);
    const result = await this.#attempt(context, channel);
    await this.#record({ context, result, job: null });
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

  /** Only after a success, so that an endpoint in trouble gets no more than before. */
  async #takeMore(
    job: RunningJob,
    result: AttemptResult | null,
    started: number,
  ): Promise<TakenJob[]> {
    if (!isSettledAtOnce(result)) return [];
    const eachMs = Math.max(1, clock.now() - started);
    const limit = Math.min(maxInTurn, Math.floor(inTurnMs / eachMs) - 1);
    if (limit < 1) return [];
    try {
      return await this.ports.queue.takeMore(job, limit, { inTurn: true });
    } catch (error) {
      // What was sent must be recorded in any case.
      this.ports.log.warn({ err: error }, "could not take more webhooks");
      return [];
    }
  }

  /** Ends with the first failure, or when the time is over; the queue gives the rest to others. */
  async #runInTurn(taken: readonly TakenJob[], first: Channel): Promise<void> {
    const load = await this.#loadAll(taken);
    const records: Promise<void>[] = [];
    let channel = first;
    try {
      for (const one of taken) {
        const { job } = one;
        const now = clock.now();
        if (now > first.readAt + inTurnMs || job.signal.aborted) break;
        if (now > channel.readAt + channelMs)
          channel = await this.#rereadChannel(channel);
        const context = load(job.rowId, channel.endpoint);
        const early =
          context &&
          (await getTimeUntilDue(this.ports.store.read, context.delivery));
        if (context?.delivery.status !== "pending" || early) {
          records.push(
            one.run(async () => (early ? { again: early } : undefined)),
          );
          continue;
        }
        const result = await this.#attempt(context, channel);
        const attempt = { context, result, job };
        records.push(
          one.run(async () => toOutcome(await this.#record(attempt))),
        );
        if (!isSettledAtOnce(result)) break;
      }
    } finally {
      await Promise.all(records);
    }
  }

  /** What `load` returns, of many deliveries to one endpoint. */
  async #loadAll(
    taken: readonly TakenJob[],
  ): Promise<
    (id: string, endpoint: WebhookEndpoint) => DeliveryContext | null
  > {
    const { read } = this.ports.store;
    const id = In(taken.map(({ job }) => job.rowId));
    const deliveries = await read.findBy(WebhookDelivery, { id });
    const events = await read.findBy(OutboxEvent, {
      id: In(deliveries.map(({ eventId }) => eventId)),
    });
    const deliveryOf = new Map(deliveries.map((row) => [row.id, row]));
    const eventOf = new Map(events.map((row) => [row.id, row]));
    return (key, endpoint) => {
      const delivery = deliveryOf.get(key);
      const event = eventOf.get(delivery?.eventId ?? "");
      return delivery && event ? { delivery, event, endpoint } : null;
    };
  }

  /** Null when nothing may be sent. */
  async #attempt(
    context: DeliveryContext,
    channel: Channel,
  ): Promise<AttemptResult | null> {
    if (!canSend(context)) return null;
    const result = await this.#send(context, channel);
    this.counts[result.outcome] += 1;
    return result;
  }

  /** @returns the milliseconds until the next attempt; null when the delivery has ended. */
  async #record(attempt: Attempt): Promise<number | null> {
    const { context, result } = attempt;
    const { id: deliveryId, endpointId, batchId } = context.delivery;
    const wait = await this.#records.run(attempt);
    this.ports.log.debug(
      { deliveryId, endpointId, batchId, ...result, body: null },
      "webhook attempt",
    );
    if (wait === null && batchId !== null)
      await this.gate.release({ endpointId, batchId });
    return wait;
  }

  async #send(
    { delivery: { id, notes }, event, endpoint }: DeliveryContext,
    channel: Channel,
  ): Promise<AttemptResult> {
    const { settings, userAgent, log } = this.ports;
    const sentAt = clock.date();
    try {
      const body = writeMessage(event, notes);
      const { outbound, keys } = await channel.open();
      const headers = {
        "content-type": "application/json",
        "user-agent": userAgent,
        ...signHeaders(keys, { id, sentAt, body }),
      };
      const message = { url: endpoint.url, headers, body };
      return await sendMessage(outbound, message, settings.timeoutMs);
    } catch (error) {
      if (!(error instanceof PlatenError))
        log.error({ err: error, deliveryId: id }, "could not send a webhook");
      return toUnsentResult(error, sentAt);
    }
  }

  #createChannel(endpoint: WebhookEndpoint): Channel {
    let opened: ReturnType<Channel["open"]> | undefined;
    const open = () => (opened ??= this.#openChannel(endpoint));
    return { endpoint, readAt: clock.now(), open };
  }

  /** Is not opened again unless the secret has changed. */
  async #rereadChannel(channel: Channel): Promise<Channel> {
    const { read } = this.ports.store;
    const { id, secret } = channel.endpoint;
    const readAt = clock.now();
    const endpoint = await read.findOneByOrFail(WebhookEndpoint, { id });
    return endpoint.secret === secret
      ? { ...channel, endpoint, readAt }
      : this.#createChannel(endpoint);
  }

  async #openChannel({
    id,
    organizationId,
    secret,
    previousSecret,
    previousSecretUntil,
  }: WebhookEndpoint): ReturnType<Channel["open"]> {
    const { outbound, secrets } = this.ports;
    const hasPrevious =
      previousSecret !== null &&
      previousSecretUntil !== null &&
      previousSecretUntil > clock.date();
    const sealed = hasPrevious ? [secret, previousSecret] : [secret];
    const [ofOrganization, ...opened] = await Promise.all([
      outbound.forOrganization(organizationId),
      ...sealed.map((text) => secrets.open(text, id)),
    ]);
    return { outbound: ofOrganization, keys: opened.map(toKey) };
  }
}

function toOutcome(wait: number | null): JobOutcome {
  return wait === null ? undefined : { again: wait };
}

/** Whether the next attempt at the endpoint may follow at once: the receiver took it, or nothing is sent to it. */
function isSettledAtOnce(result: AttemptResult | null): boolean {
  return result === null || result.outcome === "delivered";
}

/** A test is sent even when the endpoint is disabled. */
function canSend({ endpoint, event }: DeliveryContext): boolean {
  if (endpoint.deletedAt !== null) return false;
  return endpoint.isEnabled || event.type === TEST_EVENT;
}

/**
 * Records attempts with their deliveries, their endpoints' health and their jobs; those that succeeded with one statement
 * for each table.
 * @returns for each, the milliseconds until the next attempt; null when the delivery has ended.
 * @throws PlatenError `conflict` when one of several was overtaken, to which this is no answer for the others.
 */
async function recordAttempts(
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
  let message = write(data);
  for (const [name, cut] of Object.entries(cuts)) {
    if (Buffer.byteLength(message) < maxMessageBytes) break;
    if (!(name in data)) continue;
    data = { ...data, [name]: cut(data) };
    truncated.push(name);
    message = write(data);
  }
  return message;
}

function takeFirst(list: unknown): unknown[] {
  return Array.isArray(list) ? list.slice(0, maxListItems) : [];
}

// Signatures by Standard Webhooks 1.0.0: https://www.standardwebhooks.com

const secretPrefix = "whsec_";

/** 256 random bits. */
export function createSecret(): string {
  return secretPrefix + randomBytes(32).toString("base64");
}

function toKey(secret: string): KeyObject {
  return createSecretKey(secret.slice(secretPrefix.length), "base64");
}

/** The headers of a delivery, with a signature by each key. */
function signHeaders(
  keys: readonly KeyObject[],
  { id, sentAt, body }: { id: string; sentAt: Date; body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const signatures = keys.map((key) => {
    const hmac = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`);
    return `v1,${hmac.digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

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
  const startedAt = clock.date();
  const reply = await outbound.fetch(url, {
    method: "POST",
    headers,
    body,
    timeoutMs,
    maxBytes: maxResponseBytes,
    whenLarger: "cut",
  });
  const error = describeFailure(reply.status);
  const now = clock.date();
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
    durationMs: clock.now() - startedAt.getTime(),
  };
}
