import { createHmac, randomBytes } from "node:crypto";
import type { Outbound } from "../lib/outbound/index.js";
import { PlatenError } from "../plugin-api/index.js";
import type {
  AttemptOutcome,
  DeliveryNotes,
  OutboxEvent,
} from "../storage/database/index.js";

/** Receivers are built for small messages: Standard Webhooks recommends less than 20 kB. */
const maxMessageBytes = 20_000;
const maxErrorLength = 2000;
const maxListItems = 20;
const maxResponseBytes = 16 * 1024;
const dayMs = 24 * 60 * 60_000;

type Data = OutboxEvent["data"];

/** What is shortened, in this order, until the message is small enough. */
const cuts: Record<string, (data: Data) => unknown> = {
  metadata: () => ({}),
  error: ({ error }) => String(error).slice(0, maxErrorLength),
  outputs: ({ outputs }) => takeFirst(outputs),
  submitters: ({ submitters }) => takeFirst(submitters),
};

/**
 * The body of a delivery, less than 20 kB: `data` is the event's payload, with the delivery's notes beside it.
 * `truncated` lists the names of shortened fields.
 */
export function writeMessage(
  {
    type,
    createdAt,
    ...event
  }: Pick<OutboxEvent, "type" | "data" | "createdAt">,
  notes: DeliveryNotes | null,
): string {
  const truncated = [...(notes?.truncated ?? [])];
  const write = (data: Data) =>
    JSON.stringify({
      type,
      timestamp: createdAt.toISOString(),
      data,
      ...notes,
      ...(truncated.length > 0 && { truncated }),
    });
  let { data } = event;
  for (const [name, cut] of Object.entries(cuts)) {
    if (Buffer.byteLength(write(data)) < maxMessageBytes) break;
    if (!(name in data)) continue;
    data = { ...data, [name]: cut(data) };
    truncated.push(name);
  }
  return write(data);
}

function takeFirst(list: unknown): unknown[] {
  return Array.isArray(list) ? list.slice(0, maxListItems) : [];
}

// Signatures by Standard Webhooks 1.0.0: https://www.standardwebhooks.com

const secretPrefix = "whsec_";

/** A new secret of 256 random bits. */
export function createSecret(): string {
  return secretPrefix + randomBytes(32).toString("base64");
}

/** The headers of a delivery, with a signature by each secret; there are two after a rotation. */
export function signHeaders(
  secrets: readonly string[],
  { id, sentAt, body }: { id: string; sentAt: Date; body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), "base64");
    const hmac = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`);
    return `v1,${hmac.digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

/** The result of one attempt. */
export interface AttemptResult {
  outcome: AttemptOutcome;
  status: number | null;
  /** The first 16 kB of the response; null without a response. */
  body: string | null;
  /** Why it failed; null when it succeeded. */
  error: string | null;
  retryAfterMs: number | null;
  startedAt: Date;
  durationMs: number;
}

/** Sends once and follows no redirect. @throws PlatenError when there is no response. */
export async function sendMessage(
  outbound: Pick<Outbound, "fetch">,
  {
    url,
    headers,
    body,
  }: { url: string; headers: Record<string, string>; body: string },
  timeoutMs: number,
): Promise<AttemptResult> {
  const startedAt = new Date();
  const reply = await outbound.fetch(url, {
    method: "POST",
    headers,
    body,
    timeoutMs,
    maxBytes: maxResponseBytes,
    whenLarger: "cut",
  });
  const error = describeFailure(reply.status);
  const now = new Date();
  return {
    outcome: error === null ? "delivered" : "refused",
    status: reply.status,
    body: reply.body.toString("utf8"),
    error,
    retryAfterMs: parseRetryAfter(reply.headers["retry-after"], now),
    startedAt,
    durationMs: now.getTime() - startedAt.getTime(),
  };
}

function describeFailure(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return `The receiver answered ${status}, a redirect, which is not followed. Set the endpoint's url to the redirect's target.`;
  return `The receiver answered ${status}; only 2xx counts as success.`;
}

/** The milliseconds in a `Retry-After` header, at most a day; null when it is missing or invalid. */
function parseRetryAfter(header: string | undefined, now: Date): number | null {
  const text = header?.trim();
  if (!text) return null;
  const wait = /^\d+$/.test(text)
    ? Number(text) * 1000
    : Date.parse(text) - now.getTime();
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), dayMs);
}

/** The result of an attempt that did not reach its receiver. */
export function toUnsentResult(error: unknown, startedAt: Date): AttemptResult {
  return {
    outcome: "unreachable",
    status: null,
    body: null,
    error:
      error instanceof PlatenError
        ? error.message
        : "The message could not be sent because of an unexpected error.",
    retryAfterMs: null,
    startedAt,
    durationMs: Date.now() - startedAt.getTime(),
  };
}
