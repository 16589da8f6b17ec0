import { z } from "zod";
import { clock } from "../../lib/clock.js";
import {
  EVENT_TYPES,
  type WebhookDeliveries,
  webhookDeliveryDetailSchema,
  webhookDeliverySchema,
  type WebhookEndpoints,
  webhookSchema,
  webhookWithSecretSchema,
} from "../../webhooks/index.js";
import { getActor } from "../middleware.js";
import { createDefinition, type Operation } from "../operation.js";
import { pageSchema, pageOf, pageQuery } from "../schemas.js";
import { idInput } from "../../lib/schemas.js";

const webhookUrl = z.string().max(2048).meta({
  description:
    "An https URL. Plain http is accepted only for networks that the operator has allowed.",
  example: "https://shop.example.com/platen",
});

const webhookEvents = z.array(z.enum(EVENT_TYPES)).min(1);

const webhookDescription = z
  .string()
  .max(500)
  .nullable()
  .meta({ description: "What it is for." });

const newWebhookSchema = z.strictObject({
  url: webhookUrl,
  events: webhookEvents.optional().meta({
    description:
      "Default: all except `document.saved` and `documents.saved`, which are sent only to endpoints that name them.",
  }),
  description: webhookDescription.optional(),
});

const webhookPatchSchema = z.strictObject({
  url: webhookUrl.optional(),
  events: webhookEvents.optional(),
  description: webhookDescription.optional(),
  isEnabled: z.boolean().optional().meta({
    description:
      "False: stops all deliveries, pending ones included. True: resumes and resets the failure count.",
  }),
});

const secretRotationSchema = z.strictObject({
  revokeNow: z.boolean().default(false).meta({
    description:
      "True: the old secret is revoked immediately instead of after 24 hours.",
  }),
});

const offsetTimestamp = z.iso.datetime({ offset: true });

const replayRangeSchema = z.strictObject({
  since: offsetTimestamp.meta({ example: "2026-07-31T00:00:00Z" }),
  until: offsetTimestamp.optional().meta({ description: "Default: now." }),
  status: z
    .enum(["delivered", "exhausted"])
    .optional()
    .meta({ description: "Only these. Default: both." }),
});

const replayCountSchema = z.strictObject({
  count: z
    .number()
    .int()
    .meta({ description: "How many deliveries are sent again." }),
});

const webhookParams = z.strictObject({
  webhookId: idInput.meta({ description: "UUID of the endpoint." }),
});
const deliveryParams = webhookParams.extend({
  deliveryId: idInput.meta({ description: "The header `webhook-id`." }),
});
const defineOperation = createDefinition("Webhooks");
const webhookPath = "/api/webhooks/:webhookId";
const deliveryPath = `${webhookPath}/deliveries/:deliveryId` as const;

export function webhookOperations(
  webhooks: WebhookEndpoints,
  deliveries: WebhookDeliveries,
): Operation[] {
  return [
    defineOperation({
      id: "listWebhooks",
      get: "/api/webhooks",
      scope: "webhooks:read",
      summary: "List webhook endpoints",
      description: "Newest first, without secrets.",
      query: z.strictObject(pageQuery),
      reply: {
        description: "A page of endpoints.",
        schema: pageSchema(webhookSchema),
      },
      handle: ({ caller, query }) =>
        webhooks.list(caller.organizationId, pageOf(query)),
    }),
    defineOperation({
      id: "createWebhook",
      post: "/api/webhooks",
      scope: "webhooks:write",
      summary: "Register a webhook endpoint",
      description:
        "Deliveries follow Standard Webhooks. Only this response contains the secret: store it where you verify deliveries.",
      body: newWebhookSchema,
      reply: {
        status: 201,
        description: "The endpoint, with its secret.",
        schema: webhookWithSecretSchema,
      },
      errors: [409],
      handle: ({ caller, body }) =>
        webhooks.create(caller.organizationId, body, getActor(caller)),
    }),
    defineOperation({
      id: "getWebhook",
      get: webhookPath,
      scope: "webhooks:read",
      summary: "Read a webhook endpoint",
      description: "Includes whether it is enabled and, if not, why.",
      params: webhookParams,
      reply: { description: "The endpoint.", schema: webhookSchema },
      handle: ({ caller, params: { webhookId } }) =>
        webhooks.get(caller.organizationId, webhookId),
    }),
    defineOperation({
      id: "updateWebhook",
      patch: webhookPath,
      scope: "webhooks:write",
      summary: "Change a webhook endpoint",
      description:
        "Fields that you omit stay unchanged. Disabling an endpoint stops its pending deliveries; you can replay them.",
      params: webhookParams,
      body: webhookPatchSchema,
      reply: { description: "The endpoint.", schema: webhookSchema },
      handle: ({ caller, params: { webhookId }, body }) =>
        webhooks.change(
          caller.organizationId,
          webhookId,
          body,
          getActor(caller),
        ),
    }),
    defineOperation({
      id: "deleteWebhook",
      delete: webhookPath,
      scope: "webhooks:write",
      summary: "Delete a webhook endpoint",
      description: "Stops all deliveries to it.",
      params: webhookParams,
      reply: { description: "The deleted endpoint.", schema: webhookSchema },
      handle: ({ caller, params: { webhookId } }) =>
        webhooks.remove(caller.organizationId, webhookId, getActor(caller)),
    }),
    defineOperation({
      id: "rotateWebhookSecret",
      post: `${webhookPath}/rotate-secret`,
      scope: "webhooks:write",
      summary: "Rotate a webhook endpoint's secret",
      description:
        "Deliveries are signed with both secrets for 24 hours, unless `revokeNow` ends the old one immediately.",
      params: webhookParams,
      body: secretRotationSchema,
      reply: {
        description: "The endpoint, with its new secret.",
        schema: webhookWithSecretSchema,
      },
      handle: ({ caller, params: { webhookId }, body }) =>
        webhooks.rotateSecret(
          caller.organizationId,
          webhookId,
          body,
          getActor(caller),
        ),
    }),
    defineOperation({
      id: "listWebhookDeliveries",
      get: `${webhookPath}/deliveries`,
      scope: "webhooks:read",
      summary: "List an endpoint's deliveries",
      description: "Newest first. Deliveries are kept for 30 days.",
      params: webhookParams,
      query: z.strictObject({
        ...pageQuery,
        status: webhookDeliverySchema.shape.status.optional(),
        batchId: idInput.optional().meta({ description: "Of this batch." }),
      }),
      reply: {
        description: "A page of deliveries.",
        schema: pageSchema(webhookDeliverySchema),
      },
      handle: ({ caller, params, query: { status, batchId, ...page } }) =>
        deliveries.list(caller.organizationId, params.webhookId, {
          ...pageOf(page),
          status,
          batchId,
        }),
    }),
    defineOperation({
      id: "getWebhookDelivery",
      get: deliveryPath,
      scope: "webhooks:read",
      summary: "Read a delivery",
      description: "Includes its message, and every attempt with its response.",
      params: deliveryParams,
      reply: {
        description: "The delivery.",
        schema: webhookDeliveryDetailSchema,
      },
      handle: ({ caller, params: { webhookId, deliveryId } }) =>
        deliveries.get(caller.organizationId, webhookId, deliveryId),
    }),
    defineOperation({
      id: "testWebhook",
      post: `${webhookPath}/test`,
      scope: "webhooks:write",
      summary: "Send a test",
      description:
        "Sends `webhook.test` once, even to a disabled endpoint, and returns the result.",
      params: webhookParams,
      reply: {
        description: "The delivery.",
        schema: webhookDeliveryDetailSchema,
      },
      handle: ({ caller, params }) =>
        deliveries.test(caller.organizationId, params.webhookId),
    }),
    defineOperation({
      id: "replayWebhookDelivery",
      post: `${deliveryPath}/replay`,
      scope: "webhooks:write",
      summary: "Replay a delivery",
      description:
        "Uses the same `webhook-id` and a full new schedule of attempts. A delivery that waits for its next attempt is sent " +
        "now. 409 during an attempt, while it is `held`, and while the endpoint is disabled.",
      params: deliveryParams,
      reply: {
        status: 202,
        description: "The replayed delivery.",
        schema: webhookDeliverySchema,
      },
      errors: [409],
      handle: ({ caller, params: { webhookId, deliveryId } }) =>
        deliveries.replay(caller.organizationId, webhookId, deliveryId),
    }),
    defineOperation({
      id: "replayWebhookDeliveries",
      post: `${webhookPath}/replay`,
      scope: "webhooks:write",
      summary: "Replay deliveries of a period",
      description:
        "Replays all finished deliveries of the period, each with its own `webhook-id`.",
      params: webhookParams,
      body: replayRangeSchema,
      reply: {
        status: 202,
        description: "The number of replayed deliveries.",
        schema: replayCountSchema,
      },
      errors: [409],
      handle: ({ caller, params, body: { since, until, status } }) =>
        deliveries.replayRange(caller.organizationId, params.webhookId, {
          since: new Date(since),
          until: until === undefined ? clock.date() : new Date(until),
          status,
        }),
    }),
  ];
}
