import { z } from "zod";
import type { Batches } from "../../batches/index.js";
import type { Deliveries } from "../../deliveries/index.js";
import { createDefinition, type Operation } from "../operation.js";
import { pageOf } from "../schemas.js";
import { batchSchema } from "../../batches/index.js";
import { idInput } from "../../lib/schemas.js";

/** Deliver documents again that were not, or may not have been. */
export function deliveryOperations(
  batches: Batches,
  deliveries: Deliveries,
): Operation[] {
  return [
    createDefinition("Batches")({
      id: "retryBatchDeliveries",
      post: "/api/batches/:batchId/deliveries/retry",
      scope: "documents:write",
      summary: "Retry failed deliveries",
      description:
        "Delivers those documents again whose delivery has failed, while their files are kept. What was delivered is not delivered again. " +
        "With `unknown`, also those that may have arrived: recipients may then get them twice.",
      params: z.strictObject({
        batchId: idInput.meta({ description: "Starts with `batch_`." }),
      }),
      body: z
        .strictObject({
          unknown: z.boolean().optional().meta({
            default: false,
            description:
              "True: also those that are `unknown`. Ask the recipients first.",
          }),
        })
        .meta({ id: "RetryDeliveries", example: { unknown: false } }),
      reply: {
        status: 202,
        description: "The batch, with its first documents.",
        schema: batchSchema,
      },
      errors: [409, 410],
      handle: async ({ caller, params: { batchId }, body }) => {
        const { organizationId } = caller;
        const { unknown = false } = body;
        await deliveries.retryBatch(organizationId, batchId, unknown);
        return batches.get(organizationId, batchId, pageOf({}));
      },
    }),
    createDefinition("Documents")({
      id: "retryDelivery",
      post: "/api/deliveries/:deliveryId/retry",
      scope: "documents:write",
      summary: "Retry a delivery",
      description:
        "Delivers a document again whose delivery has failed, or may have arrived: then the recipient may get it twice.",
      params: z.strictObject({
        deliveryId: idInput.meta({
          description: "As `deliveries` of GET /api/documents/:documentId has.",
        }),
      }),
      reply: {
        status: 202,
        description: "It is delivered in the background.",
        schema: z.strictObject({ id: z.string() }),
      },
      errors: [409, 410],
      handle: async ({ caller, params: { deliveryId: id } }) => {
        await deliveries.retry(caller.organizationId, id);
        return { id };
      },
    }),
  ];
}
