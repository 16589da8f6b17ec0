import type { Output } from "../contract/index.js";

/** The events that the specification names, and the one that tries an endpoint. */
export const EVENT_TYPES = [
  "document.succeeded",
  "document.failed",
  "document.expired",
  "documents.completed",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Sent by a test delivery alone; no endpoint subscribes to it. */
export const TEST_EVENT = "webhook.test";

interface DocumentEvent {
  documentId: string;
  batchId: string;
  organizationId: string;
  /** The item's own keys, and perhaps `documentName`. */
  metadata: Record<string, unknown>;
  /** ISO 8601. */
  completedAt: string;
}

export interface DocumentSucceeded extends DocumentEvent {
  status: "succeeded";
  outputs: Output[];
}

export interface DocumentFailed extends DocumentEvent {
  status: "failed";
  error: string;
}

export interface DocumentExpired extends DocumentEvent {
  status: "expired";
  error: string;
}

export interface DocumentsCompleted {
  batchId: string;
  organizationId: string;
  totalDocuments: number;
  succeededCount: number;
  failedCount: number;
  expiredCount: number;
  /** ISO 8601. */
  completedAt: string;
}

/** What happened, with the payload that the specification lists. */
export type ServiceEvent =
  | { type: "document.succeeded"; data: DocumentSucceeded }
  | { type: "document.failed"; data: DocumentFailed }
  | { type: "document.expired"; data: DocumentExpired }
  | { type: "documents.completed"; data: DocumentsCompleted };
