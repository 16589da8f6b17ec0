import type * as z from "zod";
import type {
  PlatformReply,
  PlatformRequest,
} from "../../core/plugin-api/index.js";
import {
  parseLosslessJson,
  PlatformError,
} from "../../core/plugin-api/index.js";

// What the shipped plugins share when they call an HTTP API.

/** Parses a body as JSON. Returns null when it is not JSON. */
export function parseJson(body: Uint8Array): unknown {
  try {
    return parseLosslessJson(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}

/** How a service's failures are reported. */
export interface ReplyErrors {
  /** Describes a reply whose status is not 2xx. */
  refused: (status: number, body: unknown) => PlatformError;
  /** The message when a reply does not match its schema. */
  unexpected: string;
}

/** Validates a reply. @throws PlatformError as `errors` says; `unavailable` for a reply of another shape. */
export function readReply<T>(
  { status, body }: { status: number; body: unknown },
  schema: z.ZodType<T>,
  { refused, unexpected }: ReplyErrors,
): T {
  if (status < 200 || status > 299) throw refused(status, body);
  const { success, data, error: cause } = schema.safeParse(body);
  if (success) return data;
  throw new PlatformError("unavailable", unexpected, { status, cause });
}

/** Encodes a form with its files as the body of a POST request. */
export async function encodeForm(
  form: FormData,
): Promise<PlatformRequest & { headers: Record<string, string> }> {
  const encoded = new Response(form);
  return {
    method: "POST",
    headers: { "content-type": encoded.headers.get("content-type") ?? "" },
    body: new Uint8Array(await encoded.arrayBuffer()),
  };
}

/** How long a reply asks to wait; null when it names no number of seconds. */
export function getRetryAfterMs({
  headers,
}: Pick<PlatformReply, "headers">): number | null {
  const seconds = Number(headers["retry-after"]);
  return Number.isNaN(seconds) ? null : seconds * 1000;
}

/** Decodes percent-encoded text. Returns malformed text unchanged. */
export function decodeUriText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
