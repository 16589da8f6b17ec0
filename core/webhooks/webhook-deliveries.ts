import {
  type EntityManager,
  Between,
  In,
  MoreThan,
  Not,
  type FindOptionsWhere,
} from "typeorm";
import { z } from "zod";
import { clock } from "../lib/clock.js";
import { timestampSchema, toView } from "../lib/schemas.js";
import { PlatenError } from "../plugin-api/index.js";
import {
  type DeliveryStatus,
  insertRow,
  isId,
  listPage,
  newId,
  OutboxEvent,
  type PageRequest,
  WebhookAttempt,
  WebhookDelivery,
  getDatabaseTime,
} from "../storage/database/index.js";
import type { CompletionGate } from "./completion-gate.js";
import type { Deliverer } from "./deliverer.js";
import { writeMessage } from "./send-message.js";
import {
  TEST_EVENT,
  DELIVERY_JOB,
  isHeldEvent,
  toDeliveryJob,
  type EventPorts,
  webhookEventSchema,
} from "./events.js";
import { findEndpoint } from "./webhook-endpoints.js";

const rowsPerTransaction = 500;

const ENDED = ["delivered", "exhausted"] as const;
export type EndedStatus = (typeof ENDED)[number];

interface ReplayRange {
  since: Date;
  until: Date;
  /** Default: both. */
  status?: EndedStatus | undefined;
}

interface DeliveryQuery extends PageRequest {
  status?: DeliveryStatus | undefined;
  batchId?: string | undefined;
}

const deliveryFields = {
  id: z.string().meta({ description: "Also the header `webhook-id`." }),
  webhookId: z.string().meta({ description: "The endpoint." }),
  eventId: z.string(),
  type: z.string().meta({ example: "document.succeeded" }),
  batchId: z.string().nullable(),
  documentId: z.string().nullable(),
  status: z.enum(["held", "pending", "delivered", "exhausted"]).meta({
    description:
      "`held`: waits for its batch's documents; `pending`: an attempt is due or scheduled; `exhausted`: all attempts failed.",
  }),
  attemptCount: z.number().int(),
  nextAttemptAt: timestampSchema.nullable(),
  lastStatus: z
    .number()
    .int()
    .nullable()
    .meta({ description: "The HTTP status of the last response." }),
  lastError: z.string().nullable(),
  createdAt: timestampSchema,
  completedAt: timestampSchema.nullable(),
};

export const webhookDeliverySchema = z
  .strictObject(deliveryFields)
  .meta({ id: "WebhookDelivery" });

const attemptSchema = z
  .strictObject({
    number: z.number().int().meta({ description: "From 1." }),
    url: z.string(),
    outcome: z.enum(["delivered", "refused", "unreachable"]),
    responseStatus: z.number().int().nullable(),
    responseBody: z.string().nullable().meta({
      description:
        "The first 16 kB of the response. null when there was no response, and for a receiver in a private network.",
    }),
    error: z.string().nullable(),
    durationMs: z.number().int(),
    createdAt: timestampSchema,
  })
  .meta({ id: "WebhookAttempt" });

export const webhookDeliveryDetailSchema = z
  .strictObject({
    ...deliveryFields,
    message: webhookEventSchema.meta({
      description: "The body, as it is sent.",
    }),
    attempts: z.array(attemptSchema),
  })
  .meta({ id: "WebhookDeliveryDetail" });

type DeliveryView = z.output<typeof webhookDeliverySchema>;
export type DeliveryDetail = z.output<typeof webhookDeliveryDetailSchema>;

/** Deliveries to endpoints of other organizations are treated as missing. */
export class WebhookDeliveries {
  constructor(
    private readonly ports: EventPorts,
    private readonly deliverer: Deliverer,
    private readonly gate: CompletionGate,
  ) {}

  /** The newest first. @throws PlatenError `not_found` for the endpoint. */
  async list(
    organizationId: string,
    endpointId: string,
    { status, batchId, ...page }: DeliveryQuery,
  ) {
    return this.ports.store.snapshot(async (read) => {
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
      return { data: rows.map(toDeliveryView), pagination };
    });
  }

  /** With its message and its attempts. @throws PlatenError `not_found`. */
  async get(
    organizationId: string,
    endpointId: string,
    id: string,
  ): Promise<DeliveryDetail> {
    return this.ports.store.snapshot(async (read) => {
      await findEndpoint(read, organizationId, endpointId);
      const delivery = await findDelivery(read, endpointId, id);
      const { eventId } = delivery;
      const event = await read.findOneByOrFail(OutboxEvent, { id: eventId });
      const attempts = await read.find(WebhookAttempt, {
        where: { deliveryId: id },
        order: { number: "ASC" },
      });
      return {
        ...toDeliveryView(delivery),
        message: JSON.parse(writeMessage(event, delivery.notes)),
        attempts: attempts.map((row) => toView(attemptSchema, row)),
      };
    });
  }

  /**
   * Sends an ended delivery again, or one that waits for its next attempt at once, with the same `webhook-id` and the
   * full retry schedule. A batch's `documents.completed` waits again for the batch's deliveries that are replayed with it.
   * @throws PlatenError `not_found`; `conflict` while the endpoint is disabled, during an attempt, or while the delivery
   * waits for its batch.
   */
  async replay(
    organizationId: string,
    endpointId: string,
    id: string,
  ): Promise<DeliveryView> {
    await this.#assertEnabled(organizationId, endpointId);
    const { read } = this.ports.store;
    await findDelivery(read, endpointId, id);
    const now = await getDatabaseTime(read);
    const replayed = await this.#restart([
      { id, endpointId, status: In(ENDED) },
      { id, endpointId, status: "pending", nextAttemptAt: MoreThan(now) },
    ]);
    await this.#deliver(replayed);
    if (replayed.length === 0)
      throw new PlatenError(
        "conflict",
        "This delivery is being sent right now or waits for its batch's documents. Replay it when it has ended.",
      );
    return toDeliveryView(await findDelivery(read, endpointId, id));
  }

  /**
   * Replays the deliveries created in the range, without tests. @returns how many.
   * @throws PlatenError `not_found`; `conflict` while the endpoint is disabled; `invalid_request` for an empty range.
   */
  async replayRange(
    organizationId: string,
    endpointId: string,
    { since, until, status }: ReplayRange,
  ): Promise<{ count: number }> {
    if (since > until)
      throw new PlatenError(
        "invalid_request",
        "The range ends before it begins. `since` must be before `until`.",
      );
    await this.#assertEnabled(organizationId, endpointId);
    const where = {
      endpointId,
      status: In(status ? [status] : ENDED),
      createdAt: Between(since, until),
      type: Not(TEST_EVENT),
    };
    const all: WebhookDelivery[] = [];
    for (let last = ""; ; last = all.at(-1)?.id ?? "") {
      const rows = await this.#restart({ ...where, id: MoreThan(last) });
      all.push(...rows);
      if (rows.length < rowsPerTransaction) break;
    }
    await this.#deliver(all);
    return { count: all.length };
  }

  /** Sends a test event at once, in one attempt, also to a disabled endpoint. @returns its delivery. */
  async test(
    organizationId: string,
    endpointId: string,
  ): Promise<DeliveryDetail> {
    const { store } = this.ports;
    await findEndpoint(store.read, organizationId, endpointId);
    const now = clock.date();
    const event = {
      id: newId(),
      organizationId,
      type: TEST_EVENT,
      batchId: null,
      documentId: null,
      data: { webhookId: endpointId, organizationId },
      createdAt: now,
      dispatchedAt: now,
    };
    const id = newId();
    await store.unitOfWork.run(async (tx) => {
      await insertRow(tx, OutboxEvent, event);
      // Pending without a job: the attempt is made below, and by a sweep only if this process dies.
      await insertRow(tx, WebhookDelivery, {
        id,
        organizationId,
        eventId: event.id,
        endpointId,
        type: TEST_EVENT,
        batchId: null,
        documentId: null,
        status: "pending",
        attempts: 0,
        tries: 0,
        nextAttemptAt: now,
        holdUntil: null,
        notes: null,
        lastError: null,
        lastStatus: null,
        completedAt: null,
        createdAt: now,
        updatedAt: now,
      });
    });
    const context = await this.deliverer.load(id);
    if (context) await this.deliverer.attempt(context);
    return this.get(organizationId, endpointId, id);
  }

  async #restart(
    where:
      FindOptionsWhere<WebhookDelivery> | FindOptionsWhere<WebhookDelivery>[],
  ): Promise<WebhookDelivery[]> {
    const { store, queue } = this.ports;
    return store.unitOfWork.run(async (tx) => {
      const rows = await tx.find(WebhookDelivery, {
        where,
        order: { id: "ASC" },
        take: rowsPerTransaction,
      });
      const held = rows.filter(mustHold);
      const due = rows.filter((row) => !mustHold(row));
      await this.#reset(tx, held, "held");
      await this.#reset(tx, due, "pending");
      await queue.enqueue(tx, due.map(toDeliveryJob));
      return rows;
    });
  }

  async #reset(
    tx: EntityManager,
    rows: readonly WebhookDelivery[],
    status: "held" | "pending",
  ): Promise<void> {
    if (rows.length === 0) return;
    const now = await getDatabaseTime(tx);
    const holdUntil = new Date(now.getTime() + this.ports.settings.maxHoldMs);
    await tx.update(
      WebhookDelivery,
      { id: In(rows.map(({ id }) => id)) },
      {
        status,
        tries: 0,
        nextAttemptAt: status === "pending" ? now : null,
        holdUntil: status === "held" ? holdUntil : null,
        completedAt: null,
        updatedAt: now,
      },
    );
  }

  async #deliver(rows: readonly WebhookDelivery[]): Promise<void> {
    this.ports.queue.nudge(DELIVERY_JOB);
    for (const row of rows) {
      const { endpointId, batchId } = row;
      if (batchId !== null && isHeldEvent(row))
        await this.gate.release({ endpointId, batchId });
    }
  }

  async #assertEnabled(
    organizationId: string,
    endpointId: string,
  ): Promise<void> {
    const { isEnabled, disabledReason } = await findEndpoint(
      this.ports.store.read,
      organizationId,
      endpointId,
    );
    if (isEnabled) return;
    throw new PlatenError(
      "conflict",
      `The endpoint is disabled (${disabledReason ?? "by its owner"}). Enable it first.`,
    );
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

function toDeliveryView(row: WebhookDelivery): DeliveryView {
  return toView(webhookDeliverySchema, row, {
    webhookId: row.endpointId,
    attemptCount: row.attempts,
  });
}

/** Whether its replay waits for the batch's documents again. One that waits for its next attempt has done so. */
function mustHold(row: WebhookDelivery): boolean {
  return isHeldEvent(row) && row.status !== "pending";
}
