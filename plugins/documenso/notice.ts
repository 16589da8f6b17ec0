import { createHash, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import type { Notice, RawNotice } from "../../core/plugin-api/index.js";
import type { DocumensoCredentials } from "./credentials.js";

/** Servers before 2.3 name only a number that the API does not take: they are asked now and then. */
const payload = z.object({
  event: z.string().startsWith("DOCUMENT_"),
  payload: z.object({ envelopeId: z.string().min(1) }),
});

/** The secret comes in a header as it is: it proves the sender, and says nothing of the body. */
export function parseNotice(
  { webhookSecret }: DocumensoCredentials,
  { body, headers }: RawNotice,
): Notice | null {
  const sent = headers["x-documenso-secret"];
  if (!webhookSecret || !sent || !isSame(sent, webhookSecret)) return null;
  const told = payload.safeParse(parsed(body)).data;
  return told ? { externalId: told.payload.envelopeId } : null;
}

/** Of the hashes: their lengths are the same. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}
