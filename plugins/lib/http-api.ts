import type * as z from "zod";
import type {
  PlatformContext,
  PlatformReply,
} from "../../core/plugin-api/index.js";
import {
  parseLosslessJson,
  PlatformError,
} from "../../core/plugin-api/index.js";

// What the shipped plugins share when they call an HTTP API.

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Parses a body as JSON. Returns null when it is not JSON or not UTF-8. */
export function parseJson(body: Uint8Array): unknown {
  try {
    return parseLosslessJson(decoder.decode(body));
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

/** Sends a form with its files. The body of the reply is null when it is not JSON. */
export async function sendForm(
  { http }: Pick<PlatformContext<unknown>, "http">,
  url: string,
  form: FormData,
  headers: Readonly<Record<string, string>>,
): Promise<{ status: number; body: unknown }> {
  const encoded = new Response(form);
  const type = encoded.headers.get("content-type") ?? "";
  const { status, body } = await http(url, {
    method: "POST",
    headers: { "content-type": type, ...headers },
    body: new Uint8Array(await encoded.arrayBuffer()),
  });
  return { status, body: parseJson(body) };
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
