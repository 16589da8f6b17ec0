import { z } from "zod";
import { SIGN_FIELD_TYPES } from "../../plugin-api/index.js";
import { installed } from "./platform.js";

const capabilities = z.strictObject({
  order: z.boolean().meta({
    description: "Whether signers can be asked one after the other.",
  }),
  values: z.boolean().meta({
    description: "Whether fields can be filled in beforehand.",
  }),
  expiry: z.enum(["instant", "days", "none"]).meta({
    description: "`days`: an expiry is rounded up to whole days.",
  }),
  message: z.boolean(),
  cancel: z.boolean(),
  resend: z.boolean(),
  noticeProof: z.enum(["hmac", "secret", "none"]).meta({
    description: "What proves where its notices come from.",
  }),
  fields: z.array(z.enum(SIGN_FIELD_TYPES)).meta({
    description: "Kinds of fields that it has; others become `text`.",
  }),
  maxFileBytes: z.number(),
});

export const provider = installed("docuseal")
  .extend({
    capabilities: capabilities
      .nullable()
      .meta({ description: "Null of a broken one." }),
  })
  .meta({ id: "EsignProvider" });
