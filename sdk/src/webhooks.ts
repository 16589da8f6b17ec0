import type { components } from "./api.js";

/** A message of the service, told apart by `type`. */
export type WebhookEvent = components["schemas"]["WebhookEvent"];

/** A message is not from the service, or too old. Answer it with 400. */
export class PlatenWebhookError extends Error {
  override readonly name: string = "PlatenWebhookError";
}

/** Headers of the runtimes, of Node's `http` and of frameworks. */
export type WebhookHeaders =
  Headers | Readonly<Record<string, string | string[] | undefined>>;

export interface VerifyOptions {
  /** How many seconds a message may be old or early. Default: 300. */
  tolerance?: number | undefined;
}

/**
 * Checks that a message is from the service, by its signature and its time.
 * @param rawBody as it arrived, before any parser
 * @param secret of the endpoint, `whsec_…`; several while one is replaced
 * @throws PlatenWebhookError if it is not
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { tolerance = 300 }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = getHeader(headers, "webhook-id");
  const timestamp = getHeader(headers, "webhook-timestamp");
  const signatures = getHeader(headers, "webhook-signature").split(" ");
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > tolerance)
    throw new PlatenWebhookError(
      "The message is too old, or from the future. Check the clock of this machine.",
    );
  const body = toBytes(rawBody);
  const signed = concatenate(toBytes(`${id}.${timestamp}.`), body);
  for (const one of typeof secret === "string" ? [secret] : secret) {
    const key = await importSecret(one);
    for (const signature of signatures) {
      const [version, text = ""] = signature.split(",");
      const actual = version === "v1" ? decodeBase64(text) : null;
      // In constant time.
      if (actual && (await crypto.subtle.verify("HMAC", key, actual, signed)))
        return JSON.parse(new TextDecoder().decode(body));
    }
  }
  throw new PlatenWebhookError(
    "The message has no valid signature: it is not from the service, was changed on the way, or belongs to another secret.",
  );
}

function getHeader(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(
          ([key]) => key.toLowerCase() === name,
        )?.[1];
  if (typeof value === "string" && value !== "") return value;
  throw new PlatenWebhookError(`The message has no header ${name}.`);
}

async function importSecret(secret: string) {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ""));
  if (!bytes || bytes.length === 0)
    throw new TypeError(
      "The secret of a webhook endpoint is whsec_ and base64. Is the environment variable with it set?",
    );
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", bytes, algorithm, false, ["verify"]);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

function toBytes(
  value: string | Uint8Array | ArrayBuffer,
): Uint8Array<ArrayBuffer> {
  return typeof value === "string"
    ? new TextEncoder().encode(value)
    : new Uint8Array(value);
}

function concatenate(
  head: Uint8Array,
  tail: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(head.length + tail.length);
  bytes.set(head);
  bytes.set(tail, head.length);
  return bytes;
}
