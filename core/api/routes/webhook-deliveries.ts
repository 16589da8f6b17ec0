import { z } from "zod";
import type { WebhookDeliveries } from "../../webhooks/index.js";
import { operation, type Operation } from "../operation.js";
import { pagination } from "../schemas/common.js";
import { pageOf, pageQuery } from "../schemas/query.js";
import {
  delivery,
  deliveryDetail,
  deliveryStatus,
  replayCount,
  replayRange,
} from "../schemas/webhook-delivery.js";

const ofEndpoint = {
  webhookId: z.string().meta({ description: "UUID of the endpoint." }),
};
const ofDelivery = {
  ...ofEndpoint,
  deliveryId: z.string().meta({ description: "The header `webhook-id`." }),
};
const tag = "Webhooks";
const endpoint = "/api/webhooks/:webhookId";
const one = `${endpoint}/deliveries/:deliveryId` as const;

/** What was sent to an endpoint, and sending it again. */
export function webhookDeliveryOperations(
  deliveries: WebhookDeliveries,
): Operation[] {
  return [
    list(deliveries),
    read(deliveries),
    test(deliveries),
    replay(deliveries),
    replayMany(deliveries),
  ];
}

function list(deliveries: WebhookDeliveries): Operation {
  return operation({
    id: "listWebhookDeliveries",
    method: "get",
    path: `${endpoint}/deliveries`,
    scope: "webhooks:read",
    tag,
    summary: "List an endpoint's deliveries",
    description: "The newest first. They are kept for 30 days.",
    params: z.strictObject(ofEndpoint),
    query: z.strictObject({
      ...pageQuery,
      status: deliveryStatus.optional(),
      batchId: z.string().optional().meta({ description: "Of this batch." }),
    }),
    reply: {
      description: "A page of deliveries.",
      schema: z.strictObject({ data: z.array(delivery), pagination }),
    },
    errors: [404],
    handle: ({ caller, params, query: { status, batchId, ...page } }) =>
      deliveries.list(caller.organizationId, params.webhookId, {
        ...pageOf(page),
        status,
        batchId,
      }),
  });
}

function read(deliveries: WebhookDeliveries): Operation {
  return operation({
    id: "getWebhookDelivery",
    method: "get",
    path: one,
    scope: "webhooks:read",
    tag,
    summary: "Read a delivery",
    description: "With its message, every attempt and what was answered.",
    params: z.strictObject(ofDelivery),
    reply: { description: "The delivery.", schema: deliveryDetail },
    errors: [404],
    handle: ({ caller, params: { webhookId, deliveryId } }) =>
      deliveries.get(caller.organizationId, webhookId, deliveryId),
  });
}

function test(deliveries: WebhookDeliveries): Operation {
  return operation({
    id: "testWebhook",
    method: "post",
    path: `${endpoint}/test`,
    scope: "webhooks:write",
    tag,
    summary: "Send a test",
    description:
      "Sends `webhook.test` at once, one attempt only, also to a disabled endpoint, and answers with what came of it.",
    params: z.strictObject(ofEndpoint),
    reply: { description: "The delivery.", schema: deliveryDetail },
    errors: [404],
    handle: ({ caller, params }) =>
      deliveries.test(caller.organizationId, params.webhookId),
  });
}

function replay(deliveries: WebhookDeliveries): Operation {
  return operation({
    id: "replayWebhookDelivery",
    method: "post",
    path: `${one}/replay`,
    scope: "webhooks:write",
    tag,
    summary: "Send a delivery again",
    description:
      "With the same `webhook-id`, and with the whole schedule of attempts before it.",
    params: z.strictObject(ofDelivery),
    reply: {
      status: 202,
      description: "The delivery, on its way again.",
      schema: delivery,
    },
    errors: [404, 409],
    handle: ({ caller, params: { webhookId, deliveryId } }) =>
      deliveries.replay(caller.organizationId, webhookId, deliveryId),
  });
}

function replayMany(deliveries: WebhookDeliveries): Operation {
  return operation({
    id: "replayWebhookDeliveries",
    method: "post",
    path: `${endpoint}/replay`,
    scope: "webhooks:write",
    tag,
    summary: "Send the deliveries of a time again",
    description:
      "All that were made in that time and have ended, each with its own `webhook-id`.",
    params: z.strictObject(ofEndpoint),
    body: replayRange,
    reply: {
      status: 202,
      description: "How many are on their way again.",
      schema: replayCount,
    },
    errors: [404, 409, 413],
    handle: ({ caller, params, body: { since, until, status } }) =>
      deliveries.replayRange(caller.organizationId, params.webhookId, {
        since: new Date(since),
        until: until === undefined ? new Date() : new Date(until),
        status,
      }),
  });
}
