import { z } from "zod";
import {
  type EsignProvider,
  SIGN_FIELD_TYPES,
} from "../../../plugin-api/index.js";
import { callableShape, firstFault, method } from "./callable-shape.js";

const capabilities = z.object({
  order: z.boolean(),
  values: z.boolean(),
  expiry: z.enum(["instant", "days", "none"]),
  message: z.boolean(),
  cancel: z.boolean(),
  resend: z.boolean(),
  noticeProof: z.enum(["hmac", "secret", "none"]),
  fields: z.array(z.enum(SIGN_FIELD_TYPES)).min(1),
  maxFileBytes: z.number().positive(),
});

const provider = z.object({
  ...callableShape("esign"),
  capabilities,
  start: method,
  find: method,
  status: method,
  download: method,
  cancel: method.optional(),
  resend: method.optional(),
  parseNotice: method,
  page: method.optional(),
});

/** @throws Error that says, in words for its author, why this is not the e-signature provider `id`. */
export function asProvider(value: unknown, id: string): EsignProvider {
  if (value === undefined || value === null)
    throw new Error("its module exports no `plugin`");
  if (!isProvider(value)) throw new Error(firstFault(provider, value));
  const fault = contradiction(value, id);
  if (fault === null) return value;
  throw new Error(fault);
}

function isProvider(value: unknown): value is EsignProvider {
  return provider.safeParse(value).success;
}

/** What its parts say against each other. */
function contradiction(plugin: EsignProvider, id: string): string | null {
  const { cancel, resend } = plugin.capabilities;
  if (plugin.meta.id !== id)
    return `it calls itself "${plugin.meta.id}" where it was found as "${id}"`;
  if (cancel && !plugin.cancel)
    return "it says that it cancels, and has no cancel";
  if (resend && !plugin.resend)
    return "it says that it reminds signers, and has no resend";
  return null;
}
