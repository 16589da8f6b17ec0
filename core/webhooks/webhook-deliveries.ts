import type { EntityManager } from "typeorm";
import { PlatenError } from "../plugin-api/index.js";
import {
  type DeliveryStatus,
  insertRow,
  isId,
  listPage,
  newId,
  OutboxEvent,
  type PageRequest,
  type Store,
  WebhookAttempt,
  WebhookDelivery,
  type WebhookEndpoint,
  type AttemptOutcome,
} from "../storage/database/index.js";
import type { Deliverer, Parcel } from "./deliverer.js";
import { TEST_EVENT } from "./events.js";
import { findEndpoint, requireEnabled } from "./webhook-endpoints.js";
import { messageOf } from "./message.js";
import type { Replay, ReplayRange } from "./replay.js";

interface DeliveryQuery extends PageRequest {
  status?: DeliveryStatus | undefined;
  batchId?: string | undefined;
}

interface DeliveryList {
  data: DeliveryView[];
  pagination: { page: number; pageSize: number; total: number };
}

interface Ports {
  store: Store;
  deliverer: Deliverer;
  replay: Replay;
}

/** What was sent to an organization's endpoints, and sending it again; another's do not exist. */
export class WebhookDeliveries {
  constructor(private readonly ports: Ports) {}

  private get store(): Store {
    return this.ports.store;
  }

  /** The newest first. @throws PlatenError `not_found` for the endpoint. */
  async list(
    organizationId: string,
    endpointId: string,
    { status, batchId, ...page }: DeliveryQuery,
  ): Promise<DeliveryList> {
    return this.store.snapshot(async (read) => {
      await findEndpoint(read, organizationId, endpointId);
      const { rows, ...pagination } = await listPage(read, WebhookDelivery, {
        ...page,
        where: {
          endpointId,
          ...(status && { status }),
          ...(batchId && { batchId }),
        },
        newestBy: "createdAt",
      });
      return { data: rows.map(deliveryView), pagination };
    });
  }

  /** With its message and its attempts. @throws PlatenError `not_found`. */
  async get(
    organizationId: string,
    endpointId: string,
    id: string,
  ): Promise<DeliveryDetail> {
    return this.store.snapshot(async (read) => {
      await findEndpoint(read, organizationId, endpointId);
      return readDetail(read, await findDelivery(read, endpointId, id));
    });
  }

  /** @throws PlatenError `not_found`; `conflict` while the endpoint is disabled or the delivery has not ended. */
  async replay(
    organizationId: string,
    endpointId: string,
    id: string,
  ): Promise<DeliveryView> {
    await this.enabled(organizationId, endpointId);
    const { read } = this.store;
    await findDelivery(read, endpointId, id);
    if (!(await this.ports.replay.one(endpointId, id))) throw underWay();
    return deliveryView(await findDelivery(read, endpointId, id));
  }

  /** @throws PlatenError `not_found`; `conflict` while the endpoint is disabled; `invalid_request` for an empty range. */
  async replayRange(
    organizationId: string,
    endpointId: string,
    range: ReplayRange,
  ): Promise<{ count: number }> {
    if (range.since > range.until)
      throw new PlatenError(
        "invalid_request",
        "The range ends before it begins: give a `since` that is before `until`.",
      );
    await this.enabled(organizationId, endpointId);
    return { count: await this.ports.replay.range(endpointId, range) };
  }

  /** Sends a test at once and tells what came of it: one attempt, also to a disabled endpoint. */
  async test(
    organizationId: string,
    endpointId: string,
  ): Promise<DeliveryDetail> {
    const { store, deliverer } = this.ports;
    await findEndpoint(store.read, organizationId, endpointId);
    const event = testEvent(organizationId, endpointId);
    const delivery = testDelivery(event, endpointId);
    await store.unitOfWork.run(async (tx) => {
      await insertRow(tx, OutboxEvent, event);
      await insertRow(tx, WebhookDelivery, delivery);
    });
    const parcel = await deliverer.load(delivery.id);
    if (parcel) await deliverer.attempt(parcel, async () => {});
    return this.get(organizationId, endpointId, delivery.id);
  }

  private async enabled(
    organizationId: string,
    endpointId: string,
  ): Promise<WebhookEndpoint> {
    const endpoint = await findEndpoint(
      this.store.read,
      organizationId,
      endpointId,
    );
    requireEnabled(endpoint);
    return endpoint;
  }
}

async function findDelivery(
  read: EntityManager,
  endpointId: string,
  id: string,
): Promise<WebhookDelivery> {
  const delivery = isId(id)
    ? await read.findOneBy(WebhookDelivery, { id, endpointId })
    : null;
  if (delivery !== null) return delivery;
  throw new PlatenError("not_found", "There is no such delivery.");
}

async function readDetail(
  read: EntityManager,
  delivery: WebhookDelivery,
): Promise<DeliveryDetail> {
  const event = await read.findOneByOrFail(OutboxEvent, {
    id: delivery.eventId,
  });
  const attempts = await read.find(WebhookAttempt, {
    where: { deliveryId: delivery.id },
    order: { number: "ASC" },
  });
  return deliveryDetail({ delivery, event }, attempts);
}

function testEvent(
  organizationId: string,
  endpointId: string,
): Omit<OutboxEvent, never> {
  const now = new Date();
  return {
    id: newId(),
    organizationId,
    type: TEST_EVENT,
    batchId: null,
    documentId: null,
    data: { webhookId: endpointId, organizationId },
    createdAt: now,
    dispatchedAt: now,
  };
}

/** Pending without a job: the attempt is made here, and only if this process dies does the sweep make it. */
function testDelivery(
  { id: eventId, organizationId, type, createdAt }: OutboxEvent,
  endpointId: string,
): Omit<WebhookDelivery, never> {
  return {
    id: newId(),
    organizationId,
    eventId,
    endpointId,
    type,
    batchId: null,
    documentId: null,
    status: "pending",
    attempts: 0,
    tries: 0,
    nextAttemptAt: createdAt,
    holdUntil: null,
    notes: null,
    lastError: null,
    lastStatus: null,
    completedAt: null,
    createdAt,
    updatedAt: createdAt,
  };
}

function underWay(): PlatenError {
  return new PlatenError(
    "conflict",
    "This delivery is still on its way, or waits for its batch. Replay it when it has ended.",
  );
}

/** One event on its way to one endpoint. Times are ISO 8601. */
export interface DeliveryView {
  /** Also the `webhook-id` header. */
  id: string;
  webhookId: string;
  eventId: string;
  type: string;
  batchId: string | null;
  documentId: string | null;
  status: DeliveryStatus;
  attemptCount: number;
  nextAttemptAt: string | null;
  lastStatus: number | null;
  lastError: string | null;
  createdAt: string;
  completedAt: string | null;
}

interface AttemptView {
  number: number;
  url: string;
  outcome: AttemptOutcome;
  responseStatus: number | null;
  responseBody: string | null;
  error: string | null;
  durationMs: number;
  createdAt: string;
}

export interface DeliveryDetail extends DeliveryView {
  /** The body, as it is sent. */
  message: Record<string, unknown>;
  /** The first one first. */
  attempts: AttemptView[];
}

function deliveryView(row: WebhookDelivery): DeliveryView {
  const { id, eventId, type, batchId, documentId, status } = row;
  return {
    id,
    webhookId: row.endpointId,
    eventId,
    type,
    batchId,
    documentId,
    status,
    attemptCount: row.attempts,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    lastStatus: row.lastStatus,
    lastError: row.lastError,
    createdAt: row.createdAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}

function deliveryDetail(
  { delivery, event }: Pick<Parcel, "delivery" | "event">,
  attempts: readonly WebhookAttempt[],
): DeliveryDetail {
  return {
    ...deliveryView(delivery),
    message: JSON.parse(messageOf(event, delivery.notes)),
    attempts: attempts.map(attemptView),
  };
}

function attemptView(row: WebhookAttempt): AttemptView {
  const { number, url, outcome, responseStatus, responseBody, error } = row;
  return {
    number,
    url,
    outcome,
    responseStatus,
    responseBody,
    error,
    durationMs: row.durationMs,
    createdAt: row.createdAt.toISOString(),
  };
}
