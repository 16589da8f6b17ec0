import type {
  AttemptOutcome,
  DeliveryStatus,
  WebhookAttempt,
  WebhookDelivery,
} from "../storage/database/index.js";
import { messageOf } from "./message.js";
import type { Parcel } from "./parcel.js";

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

export interface AttemptView {
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

export function deliveryView(row: WebhookDelivery): DeliveryView {
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

export function deliveryDetail(
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
