import type { EntityManager } from "typeorm";
import { z } from "zod";
import { clock } from "../lib/clock.js";
import type { Outbound } from "../lib/outbound/index.js";
import type { SecretBox } from "../lib/secrets.js";
import { outputSchema, timestampSchema } from "../lib/schemas.js";
import { type Log, SIGNER_STATUSES } from "../plugin-api/index.js";
import { createPartitionKey, type NewJob, type Queue } from "../queue/index.js";
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

/** The events that the specification names, and those of signatures: what an endpoint receives that names none. */
export const DEFAULT_EVENT_TYPES = [
  ...DOCUMENT_EVENTS,
  "documents.completed",
  "signature.completed",
  "signature.declined",
  "signature.expired",
] as const;

/** With those that endpoints receive only if they name them. */
export const EVENT_TYPES = [
  ...DEFAULT_EVENT_TYPES,
  "document.saved",
  "documents.saved",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Sent only by a test delivery; no endpoint subscribes to it. */
export const TEST_EVENT = "webhook.test";

// The payloads of events: the source of the types that their producers use, and of the reference.

const eventMetadata = z.record(z.string(), z.unknown()).meta({
  description:
    "The item's own keys, and `documentName` once the document has a name.",
});

const documentEvent = {
  documentId: z.string(),
  batchId: z.string(),
  organizationId: z.string(),
  metadata: eventMetadata,
  warningCount: z.int().min(0).meta({
    description:
      "How many problems its render report lists; of a failed document, how many its error lists.",
  }),
  completedAt: timestampSchema,
};

const eventError = z.string().meta({ description: "Why it failed." });

const documentSucceededSchema = z.strictObject({
  ...documentEvent,
  status: z.literal("succeeded"),
  outputs: z.array(outputSchema),
});

const documentFailedSchema = z.strictObject({
  ...documentEvent,
  status: z.literal("failed"),
  error: eventError,
});

const documentExpiredSchema = z.strictObject({
  ...documentEvent,
  status: z.literal("expired"),
  error: eventError,
});

const documentsCompletedSchema = z.strictObject({
  batchId: z.string(),
  organizationId: z.string(),
  totalDocuments: z.number().int(),
  succeededCount: z.number().int(),
  failedCount: z.number().int(),
  expiredCount: z.number().int(),
  completedAt: timestampSchema,
});

const documentSavedSchema = z.strictObject({
  documentId: z.string(),
  batchId: z.string(),
  organizationId: z.string(),
  status: z.enum(["succeeded", "failed"]).meta({
    description: "`failed`: at least one file was not written.",
  }),
  error: z.string().optional().meta({
    description: "Why it failed; left out if it succeeded.",
  }),
  recordId: z.string(),
  field: z.string().meta({ description: "The name of the attachment field." }),
  metadata: eventMetadata,
  completedAt: timestampSchema,
});

const documentsSavedSchema = z.strictObject({
  batchId: z.string(),
  organizationId: z.string(),
  totalDocuments: z.number().int(),
  savedCount: z.number().int().meta({
    description: "Documents whose files were all written to their records.",
  }),
  failedCount: z.number().int().meta({
    description:
      "Documents whose files were not written. Documents that were not rendered are in neither number.",
  }),
  completedAt: timestampSchema,
});

const signatureEvent = {
  signatureId: z.string(),
  documentId: z.string(),
  batchId: z.string().nullable().meta({
    description: "Null for a document that was not part of a batch.",
  }),
  organizationId: z.string(),
  provider: z.string().meta({ example: "docuseal" }),
  submitters: z.array(
    z.strictObject({
      role: z.string(),
      email: z.string(),
      name: z.string().nullable(),
      status: z.enum(SIGNER_STATUSES),
      reason: z.string().nullable().meta({ description: "Why they declined." }),
    }),
  ),
  outputs: z.array(outputSchema).meta({
    description: "Labeled `signed` and `audit`; none unless it is completed.",
  }),
  metadata: eventMetadata,
  completedAt: timestampSchema,
};

const signatureCompletedSchema = z.strictObject({
  ...signatureEvent,
  status: z.literal("completed"),
});
const signatureDeclinedSchema = z.strictObject({
  ...signatureEvent,
  status: z.literal("declined"),
});
const signatureExpiredSchema = z.strictObject({
  ...signatureEvent,
  status: z.literal("expired"),
});

const idList = z.array(z.string());

const testSchema = z.strictObject({
  webhookId: z.string(),
  organizationId: z.string(),
});

/** Notes of a delivery; see `DeliveryNotes`. */
const completionNotes = {
  exhausted: idList.optional().meta({
    description:
      "Documents whose messages this endpoint did not receive, at most 200.",
  }),
  holdEnded: z.boolean().optional().meta({
    description:
      "True if it was sent before everything that it waited for; `pending` lists those documents.",
  }),
  pending: idList.optional().meta({ description: "At most 200." }),
};

/** A message as endpoints receive it: its `data`, and the notes that may stand beside it. */
function messageSchema<
  const Type extends string,
  Fields extends z.core.$ZodShape,
>(type: Type, description: string, fields: Fields) {
  const name = type
    .split(".")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
  return z
    .strictObject({
      type: z.literal(type),
      timestamp: timestampSchema.meta({
        description: "When the event happened.",
      }),
      ...fields,
      truncated: z.array(z.string()).optional().meta({
        description:
          "The fields that were shortened to keep the message small.",
      }),
    })
    .meta({ id: `${name}Event`, description });
}

/** Every message that endpoints receive; `type` determines its `data`. */
export const webhookEventSchema = z
  .discriminatedUnion("type", [
    messageSchema("document.succeeded", "A document of a batch was rendered.", {
      data: documentSucceededSchema,
    }),
    messageSchema(
      "document.failed",
      "A document of a batch failed, its retries included.",
      { data: documentFailedSchema },
    ),
    messageSchema(
      "document.expired",
      "A document of a batch expired before it was rendered.",
      { data: documentExpiredSchema },
    ),
    messageSchema(
      "documents.completed",
      "Every document of the batch has ended.",
      { data: documentsCompletedSchema, ...completionNotes },
    ),
    messageSchema("signature.completed", "Everyone has signed.", {
      data: signatureCompletedSchema,
    }),
    messageSchema("signature.declined", "Somebody refused to sign.", {
      data: signatureDeclinedSchema,
    }),
    messageSchema("signature.expired", "It was not signed in time.", {
      data: signatureExpiredSchema,
    }),
    messageSchema(
      "document.saved",
      "The write-back of a document's files to its record has ended. Only for endpoints that name this event.",
      { data: documentSavedSchema },
    ),
    messageSchema(
      "documents.saved",
      "Every document of the batch and all of their write-backs have ended. Only for endpoints that name this event.",
      { data: documentsSavedSchema },
    ),
    messageSchema(
      TEST_EVENT,
      "A test was requested. No endpoint subscribes to it.",
      { data: testSchema },
    ),
  ])
  .meta({
    id: "WebhookEvent",
    description: "A message; `type` determines its `data`.",
  });

export type WebhookEvent = z.infer<typeof webhookEventSchema>;
type EventOf<Message> = Message extends { type: string; data: unknown }
  ? Pick<Message, "type" | "data">
  : never;

/** An event with its payload, which the specification defines except for signatures. */
export type ServiceEvent = EventOf<
  Exclude<WebhookEvent, { type: typeof TEST_EVENT }>
>;

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
    createdAt: clock.date(),
    dispatchedAt: null,
  };
}

/** The kind of the jobs that name a delivery. */
export const DELIVERY_JOB = "webhook";

/** Endpoints take turns, so that a slow one delays only itself. */
export function toDeliveryJob({
  id,
  organizationId,
  endpointId,
}: Pick<WebhookDelivery, "id" | "organizationId" | "endpointId">): NewJob {
  const partitionKey = createPartitionKey(organizationId, endpointId);
  return { kind: DELIVERY_JOB, rowId: id, partitionKey };
}

/** The `lastError` of a delivery that was not attempted. */
export const WHILE_DISABLED =
  "The endpoint was disabled or deleted before this could be sent.";

/** Whether a delivery is held until those of its batch's documents have ended. */
export function isHeldEvent({ type }: Pick<OutboxEvent, "type">): boolean {
  return type === "documents.completed";
}

export interface EventWaker {
  /**
   * Call after the commit of a transaction that recorded events, to relay them at once instead of within a second.
   * Never throws, and does nothing in a process that relays no events.
   */
  nudge(): void;
}

export interface EventPorts {
  store: Store;
  queue: Pick<
    Queue,
    "enqueue" | "complete" | "takeMore" | "nudge" | "work" | "every"
  >;
  outbound: Pick<Outbound, "forOrganization">;
  secrets: SecretBox;
  settings: EventSettings;
  /** The `user-agent` of every delivery. */
  userAgent: string;
  log: Log;
}

/** Times are in milliseconds. */
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
  /** Attempts that this process makes at once; no organization has more of them than are free. */
  concurrency: number;
  /** Attempts at one endpoint at once, by all processes together. */
  perEndpoint: number;
  /** How long ended deliveries, their attempts and events are kept. */
  retentionMs: number;
}
