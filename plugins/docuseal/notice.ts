import { createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import type { Notice, RawNotice } from "../../core/plugin-api/index.js";
import type { DocusealCredentials } from "./credentials.js";

const toleranceMs = 5 * 60_000;

const id = z.number().int().positive();
/** Events of a submitter (`form.*`) name the submission, those of a submission are about it. */
const payload = z.union([
  z.object({
    event_type: z.string().startsWith("form."),
    data: z.union([
      z.object({ submission_id: id }),
      z.object({ submission: z.object({ id }) }),
    ]),
  }),
  z.object({
    event_type: z.string().startsWith("submission."),
    data: z.object({ id }),
  }),
]);

/** `X-Docuseal-Signature: <seconds>.<hex>`, an HMAC of `<seconds>.<body>` with the secret as it is written. */
export function parseNotice(
  { webhookSecret }: DocusealCredentials,
  { body, headers, receivedAt }: RawNotice,
): Notice | null {
  const [seconds = "", signature = "", ...rest] = (
    headers["x-docuseal-signature"] ?? ""
  ).split(".");
  if (!webhookSecret || rest.length > 0) return null;
  if (!/^\d{1,12}$/.test(seconds) || !/^[0-9a-f]{64}$/.test(signature))
    return null;
  const age = Math.abs(receivedAt.getTime() - Number(seconds) * 1000);
  if (age > toleranceMs) return null;
  const wanted = createHmac("sha256", webhookSecret)
    .update(`${seconds}.`)
    .update(body)
    .digest();
  if (!timingSafeEqual(wanted, Buffer.from(signature, "hex"))) return null;
  const externalId = submissionOf(body);
  // DocuSeal gives its events no id: the signature is another for each.
  return externalId === null ? null : { externalId, id: signature };
}

function submissionOf(body: Uint8Array): string | null {
  const { success, data: told } = payload.safeParse(parsed(body));
  if (!success) return null;
  const { data } = told;
  if ("submission_id" in data) return String(data.submission_id);
  return String("submission" in data ? data.submission.id : data.id);
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}
