import type { EntityManager } from "typeorm";
import type { Outbound } from "../lib/outbound/index.js";
import type { SecretBox } from "../lib/secrets.js";
import type { Output, SignerStatus, Log } from "../plugin-api/index.js";
import type { NewJob, Queue } from "../queue/index.js";
import {
  insertRows,
  newId,
  OutboxEvent,
  type WebhookDelivery,
  type Store,
} from "../storage/database/index.js";

/** The events of a document's end; `documents.completed` follows after all of them. */
export const DOCUMENT_EVENTS = [
  "document.succeeded",
  "document.failed",
  "document.expired",
] as const;

/** The events that the specification names, and those of signatures. */
export const EVENT_TYPES = [
  ...DOCUMENT_EVENTS,
  "documents.completed",
  "signature.completed",
  "signature.declined",
  "signature.expired",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Sent only by a test delivery; no endpoint subscribes to it. */
export const TEST_EVENT = "webhook.test";

interface DocumentEvent {
  documentId: string;
  batchId: string;
  organizationId: string;
  /** The item's own keys, and `documentName` once the document has a name. */
  metadata: Record<string, unknown>;
  /** How many problems its render report lists; of a failed document, how many its error lists. */
  warningCount: number;
  /** ISO 8601. */
  completedAt: string;
}

interface DocumentsCompleted {
  batchId: string;
  organizationId: string;
  totalDocuments: number;
  succeededCount: number;
  failedCount: number;
  expiredCount: number;
  /** ISO 8601. */
  completedAt: string;
}

/** How a document's signature request ended. */
export interface SignatureEvent {
  signatureId: string;
  documentId: string;
  /** Null for a document that was not part of a batch. */
  batchId: string | null;
  organizationId: string;
  /** The provider's id. */
  provider: string;
  status: "completed" | "declined" | "expired";
  submitters: {
    role: string;
    email: string;
    name: string | null;
    status: SignerStatus;
    /** Why they declined. */
    reason: string | null;
  }[];
  /** Labelled `signed` and `audit`; none unless it is completed. */
  outputs: Output[];
  /** As in the document's events. */
  metadata: Record<string, unknown>;
  /** ISO 8601. */
  completedAt: string;
}

/** An event with its payload, which the specification defines except for signatures. */
export type ServiceEvent =
  | {
      type: "document.succeeded";
      data: DocumentEvent & { status: "succeeded"; outputs: Output[] };
    }
  | {
      type: "document.failed";
      data: DocumentEvent & { status: "failed"; error: string };
    }
  | {
      type: "document.expired";
      data: DocumentEvent & { status: "expired"; error: string };
    }
  | { type: "documents.completed"; data: DocumentsCompleted }
  | { type: `signature.${SignatureEvent["status"]}`; data: SignatureEvent };

/**
 * Writes an event in the transaction of the change, so that neither exists without the other. Record a batch's
 * `documents.completed` with its last document's event or after it.
 */
export async function recordEvent(
  tx: EntityManager,
  event: ServiceEvent,
): Promise<void> {
  await recordEvents(tx, [event]);
}

/** Many at once, in their order; the list may be empty. */
export async function recordEvents(
  tx: EntityManager,
  events: readonly ServiceEvent[],
): Promise<void> {
  await insertRows(tx, OutboxEvent, events.map(toOutboxRow));
}

function toOutboxRow({ type, data }: ServiceEvent) {
  return {
    id: newId(),
    organizationId: data.organizationId,
    type,
    batchId: data.batchId,
    documentId: "documentId" in data ? data.documentId : null,
    data: { ...data },
    createdAt: new Date(),
    dispatchedAt: null,
  };
}

/** The kind of the jobs that name a delivery. */
export const DELIVERY_JOB = "webhook";

/** Endpoints take turns, so that a slow one delays only itself. */
export function toDeliveryJob({
  id,
  endpointId,
}: Pick<WebhookDelivery, "id" | "endpointId">): NewJob {
  return { kind: DELIVERY_JOB, rowId: id, partitionKey: endpointId };
}

/** The `lastError` of a delivery that was not attempted. */
export const WHILE_DISABLED =
  "The endpoint was disabled or deleted before this could be sent.";

/** Wakes the relay of recorded events. */
export interface EventWaker {
  /**
   * Call after the commit of a transaction that recorded events, to relay them at once instead of within a second.
   * Never throws, and does nothing in a process that relays no events.
   */
  nudge(): void;
}

/** What webhooks need. */
export interface EventPorts {
  store: Store;
  queue: Pick<Queue, "enqueue" | "nudge" | "work" | "every">;
  outbound: Pick<Outbound, "fetch" | "check">;
  secrets: SecretBox;
  settings: EventSettings;
  /** The `user-agent` of every delivery. */
  userAgent: string;
  log: Log;
}

/** How deliveries are made. Times are in milliseconds. */
export interface EventSettings {
  /** The waits after the first, second … failed attempt: one more attempt than there are waits. */
  schedule: readonly number[];
  /** The limit of one attempt, from the DNS lookup to the end of the response. */
  timeoutMs: number;
  /** The longest time that `documents.completed` waits for its documents' deliveries. */
  maxHoldMs: number;
  /** An endpoint whose attempts all failed for this long is disabled. */
  disableAfterMs: number;
  /** How long a rotated secret continues to sign. */
  overlapMs: number;
  /** Attempts that this process makes at once. */
  concurrency: number;
  /** Attempts at one endpoint at once, by all processes together. */
  perEndpoint: number;
  /** After how long the attempts of a process that died go to others. */
  leaseMs: number;
  /** How long ended deliveries, their attempts and events are kept. */
  retentionMs: number;
}
