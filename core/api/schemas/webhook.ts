import { z } from "zod";
import { EVENT_TYPES } from "../../webhooks/index.js";
import { timestamp } from "./common.js";

const url = z.string().max(2048).meta({
  description:
    "An https address. Plain http is for networks that whoever runs the service has allowed.",
  example: "https://shop.example.com/platen",
});

const events = z.array(z.enum(EVENT_TYPES)).min(1);

const description = z
  .string()
  .max(500)
  .nullable()
  .meta({ description: "What it is for." });

const fields = {
  id: z.string(),
  organizationId: z.string(),
  url: z.string(),
  description: z.string().nullable(),
  events: z.array(z.string()),
  isEnabled: z.boolean(),
  disabledReason: z
    .string()
    .nullable()
    .meta({ description: "Why nothing is sent to it." }),
  disabledAt: timestamp.nullable(),
  failingSince: timestamp
    .nullable()
    .meta({ description: "The first failed attempt since the last good one." }),
  previousSecretUntil: timestamp
    .nullable()
    .meta({ description: "Until then the rotated secret signs too." }),
  createdAt: timestamp,
  updatedAt: timestamp,
};

export const webhook = z.strictObject(fields).meta({ id: "Webhook" });

export const webhookWithSecret = z
  .strictObject({
    ...fields,
    secret: z.string().meta({
      description: "Signs every delivery. Shown this once.",
      example: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazKiBHuIGvM=",
    }),
  })
  .meta({ id: "WebhookWithSecret" });

export const newWebhook = z.strictObject({
  url,
  events: events.optional().meta({ description: "Default: all." }),
  description: description.optional(),
});

export const webhookPatch = z.strictObject({
  url: url.optional(),
  events: events.optional(),
  description: description.optional(),
  isEnabled: z.boolean().optional().meta({
    description:
      "False: nothing is sent any more, not even what is on its way. True: starts with a clean record.",
  }),
});

export const secretRotation = z.strictObject({
  revokeNow: z.boolean().default(false).meta({
    description:
      "True: the old secret ends at once, instead of signing beside the new one for a day.",
  }),
});
