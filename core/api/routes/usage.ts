import { z } from "zod";
import { defineOperation, type Operation } from "../operation.js";

export interface UsageServices {
  usageOf(
    organizationId: string,
    month: string,
  ): Promise<{ documents: number }>;
}

const query = z.strictObject({
  month: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/, "must be a month such as 2026-07")
    .optional()
    .meta({
      description: "In UTC. Default: the current month.",
      example: "2026-07",
    }),
});

const usage = z
  .strictObject({
    organizationId: z.string(),
    plan: z.string(),
    month: z.string(),
    documents: z.int().meta({
      description:
        "Live documents that succeeded. Test and failed documents are not counted.",
    }),
  })
  .meta({ id: "Usage" });

/** What the organization used. */
export function usageOperation(services: UsageServices): Operation {
  return defineOperation({
    id: "getUsage",
    method: "get",
    path: "/api/usage",
    scope: "account:read",
    tag: "Account",
    summary: "Usage of a month",
    description:
      "The number of documents that the organization created in a month. Usage is not limited.",
    query,
    reply: { description: "The month's usage.", schema: usage },
    handle: async ({ caller, query: { month = thisMonth() } }) => {
      const { organizationId, plan } = caller;
      const { documents } = await services.usageOf(organizationId, month);
      return { organizationId, plan, month, documents };
    },
  });
}

function thisMonth(): string {
  return new Date().toISOString().slice(0, 7);
}
