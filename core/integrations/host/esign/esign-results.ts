import { z } from "zod";
import { SIGNER_STATUSES } from "../../../plugin-api/index.js";
import { told } from "../call/result-shapes.js";

// What the methods of a provider must return.

const optionalText = z.string().exactOptional();

const signer = told({
  role: z.string(),
  externalId: optionalText,
  url: optionalText,
  status: z.enum(SIGNER_STATUSES),
  reason: optionalText,
});

const started = {
  externalId: z.string().min(1).max(255),
  signers: z.array(signer),
  warnings: z.array(z.string()).exactOptional(),
};

export const startedRequest = told(started);
export const foundRequest = startedRequest.nullable();

export const requestState = told({
  ...started,
  status: z.enum(["pending", "completed", "declined", "expired", "canceled"]),
});

const bytes = z.instanceof(Uint8Array);

export const signedFiles = z
  .array(
    z.object({
      label: z.enum(["signed", "audit"]),
      mimeType: z.string(),
      bytes: bytes.refine(({ length }) => length > 0, "must not be empty"),
    }),
  )
  .refine(
    (files) => files.filter(({ label }) => label === "signed").length === 1,
    "exactly one file must be labelled signed",
  );

export const nothing = z.unknown().transform(() => undefined);

export const notice = told({
  externalId: z.string().min(1).max(255),
  id: optionalText,
});

export const shownPage = told({
  status: z.number().int().min(200).max(599),
  mimeType: z.string(),
  body: z.union([z.string(), bytes]),
  notice: notice.exactOptional(),
});
