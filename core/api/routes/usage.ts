import { z } from "zod";
import type { Usage } from "../../accounts/index.js";
import { clock } from "../../lib/clock.js";
import { createDefinition, type Operation } from "../operation.js";

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

export function usageOperation(counters: Pick<Usage, "getMonth">): Operation {
  return createDefinition("Account")({
    id: "getUsage",
    get: "/api/usage",
    scope: "account:read",
    summary: "Usage of a month",
    description:
      "The number of documents that the organization created in a month. Usage is not limited.",
    query,
    reply: { description: "The month's usage.", schema: usage },
    handle: async ({ caller, query: parameters }) => {
      const month = parameters.month ?? clock.date().toISOString().slice(0, 7);
      const { organizationId, plan } = caller;
      const { documents } = await counters.getMonth(organizationId, month);
      return { organizationId, plan, month, documents };
    },
  });
}
