import { z } from "zod";
import { timestamp } from "./common.js";

export const deliveryStatus = z
  .enum(["held", "pending", "delivered", "exhausted"])
  .meta({
    description:
      "`held`: waits for its batch's documents; `pending`: an attempt is due or planned; `exhausted`: given up.",
  });

const fields = {
  id: z.string().meta({ description: "Also the header `webhook-id`." }),
  webhookId: z.string().meta({ description: "The endpoint." }),
  eventId: z.string(),
  type: z.string().meta({ example: "document.succeeded" }),
  batchId: z.string().nullable(),
  documentId: z.string().nullable(),
  status: deliveryStatus,
  attemptCount: z.number().int(),
  nextAttemptAt: timestamp.nullable(),
  lastStatus: z
    .number()
    .int()
    .nullable()
    .meta({ description: "The last answer's HTTP status." }),
  lastError: z.string().nullable(),
  createdAt: timestamp,
  completedAt: timestamp.nullable(),
};

export const delivery = z.strictObject(fields).meta({ id: "WebhookDelivery" });

const attempt = z
  .strictObject({
    number: z.number().int().meta({ description: "From 1." }),
    url: z.string(),
    outcome: z.enum(["delivered", "refused", "unreachable"]),
    responseStatus: z.number().int().nullable(),
    responseBody: z
      .string()
      .nullable()
      .meta({ description: "The answer's first 16 kB." }),
    error: z.string().nullable(),
    durationMs: z.number().int(),
    createdAt: timestamp,
  })
  .meta({ id: "WebhookAttempt" });

export const deliveryDetail = z
  .strictObject({
    ...fields,
    message: z
      .record(z.string(), z.unknown())
      .meta({ description: "The body, as it is sent." }),
    attempts: z.array(attempt),
  })
  .meta({ id: "WebhookDeliveryDetail" });

const moment = z.iso.datetime({ offset: true });

export const replayRange = z.strictObject({
  since: moment.meta({ example: "2026-07-31T00:00:00Z" }),
  until: moment.optional().meta({ description: "Default: now." }),
  status: z
    .enum(["delivered", "exhausted"])
    .optional()
    .meta({ description: "Only these. Default: both." }),
});

export const replayCount = z.strictObject({
  count: z
    .number()
    .int()
    .meta({ description: "How many deliveries are sent again." }),
});
