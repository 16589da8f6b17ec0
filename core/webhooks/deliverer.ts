import type { KeyObject } from "node:crypto";
import { In } from "typeorm";
import { clock } from "../lib/clock.js";
import type { Outbound } from "../lib/outbound/index.js";
import { PlatenError } from "../plugin-api/index.js";
import type { JobOutcome, RunningJob, TakenJob } from "../queue/index.js";
import {
  type AttemptOutcome,
  getTimeUntilDue,
  GroupCommit,
  OutboxEvent,
  WebhookDelivery,
  WebhookEndpoint,
} from "../storage/database/index.js";
import type { CompletionGate } from "./completion-gate.js";
import { TEST_EVENT, type EventPorts } from "./events.js";
import {
  writeMessage,
  toKey,
  signHeaders,
  type AttemptResult,
  sendMessage,
  toUnsentResult,
} from "./send-message.js";
import {
  type DeliveryContext,
  type Attempt,
  recordAttempts,
} from "./record-attempts.js";

/** Responses that arrive within a short time are recorded together. */
const recordGroup = { gatherMs: 25, most: 64 };
/** An attempt at a receiver that answers quickly is followed by as many others as probably take this long in all. */
const inTurnMs = 1000;
const maxInTurn = 50;
/** For so long, attempts use what was read of their endpoint; its owner may change it. */
const channelMs = 100;

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
      for (const takenJob of taken) {
        const { job } = takenJob;
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
            takenJob.run(async () => (early ? { again: early } : undefined)),
          );
          continue;
        }
        const result = await this.#attempt(context, channel);
        const attempt = { context, result, job };
        records.push(
          takenJob.run(async () => toOutcome(await this.#record(attempt))),
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
