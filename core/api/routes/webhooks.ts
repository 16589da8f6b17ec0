import { z } from "zod";
import type { WebhookEndpoints } from "../../webhooks/index.js";
import { actorOf } from "../actor-of.js";
import { operation, type Operation } from "../operation.js";
import { pagination } from "../schemas/common.js";
import { pageOf, pageQuery } from "../schemas/query.js";
import {
  newWebhook,
  secretRotation,
  webhook,
  webhookPatch,
  webhookWithSecret,
} from "../schemas/webhook.js";

const params = z.strictObject({
  webhookId: z.string().meta({ description: "UUID of the endpoint." }),
});
const tag = "Webhooks";
const one = "/api/webhooks/:webhookId";

/** Endpoints that are told of events. */
export function webhookOperations(webhooks: WebhookEndpoints): Operation[] {
  return [
    list(webhooks),
    create(webhooks),
    read(webhooks),
    change(webhooks),
    remove(webhooks),
    rotate(webhooks),
  ];
}

function list(webhooks: WebhookEndpoints): Operation {
  return operation({
    id: "listWebhooks",
    method: "get",
    path: "/api/webhooks",
    scope: "webhooks:read",
    tag,
    summary: "List webhook endpoints",
    description: "The newest first; never their secrets.",
    query: z.strictObject(pageQuery),
    reply: {
      description: "A page of endpoints.",
      schema: z.strictObject({ data: z.array(webhook), pagination }),
    },
    handle: ({ caller, query }) =>
      webhooks.list(caller.organizationId, pageOf(query)),
  });
}

function create(webhooks: WebhookEndpoints): Operation {
  return operation({
    id: "createWebhook",
    method: "post",
    path: "/api/webhooks",
    scope: "webhooks:write",
    tag,
    summary: "Register a webhook endpoint",
    description:
      "Deliveries follow Standard Webhooks. The answer alone holds the secret: keep it where deliveries are verified.",
    body: newWebhook,
    reply: {
      status: 201,
      description: "The endpoint, with its secret.",
      schema: webhookWithSecret,
    },
    errors: [409, 413],
    handle: ({ caller, body }) =>
      webhooks.create(caller.organizationId, body, actorOf(caller)),
  });
}

function read(webhooks: WebhookEndpoints): Operation {
  return operation({
    id: "getWebhook",
    method: "get",
    path: one,
    scope: "webhooks:read",
    tag,
    summary: "Read a webhook endpoint",
    description: "Whether it is enabled, and why not.",
    params,
    reply: { description: "The endpoint.", schema: webhook },
    errors: [404],
    handle: ({ caller, params: { webhookId } }) =>
      webhooks.get(caller.organizationId, webhookId),
  });
}

function change(webhooks: WebhookEndpoints): Operation {
  return operation({
    id: "updateWebhook",
    method: "patch",
    path: one,
    scope: "webhooks:write",
    tag,
    summary: "Change a webhook endpoint",
    description:
      "What is left out stays as it is. Disabling ends what is on its way; it can be replayed.",
    params,
    body: webhookPatch,
    reply: { description: "The endpoint.", schema: webhook },
    errors: [404, 413],
    handle: ({ caller, params: { webhookId }, body }) =>
      webhooks.change(caller.organizationId, webhookId, body, actorOf(caller)),
  });
}

function remove(webhooks: WebhookEndpoints): Operation {
  return operation({
    id: "deleteWebhook",
    method: "delete",
    path: one,
    scope: "webhooks:write",
    tag,
    summary: "Delete a webhook endpoint",
    description: "Nothing is sent to it any more.",
    params,
    reply: { description: "The endpoint, as it was.", schema: webhook },
    errors: [404],
    handle: ({ caller, params: { webhookId } }) =>
      webhooks.remove(caller.organizationId, webhookId, actorOf(caller)),
  });
}

function rotate(webhooks: WebhookEndpoints): Operation {
  return operation({
    id: "rotateWebhookSecret",
    method: "post",
    path: `${one}/rotate-secret`,
    scope: "webhooks:write",
    tag,
    summary: "Give a webhook endpoint a new secret",
    description:
      "For 24 hours each delivery is signed with both, so that receivers can change over; or the old one ends at once.",
    params,
    body: secretRotation,
    reply: {
      description: "The endpoint, with its new secret.",
      schema: webhookWithSecret,
    },
    errors: [404, 413],
    handle: ({ caller, params: { webhookId }, body }) =>
      webhooks.rotateSecret(
        caller.organizationId,
        webhookId,
        body,
        actorOf(caller),
      ),
  });
}
