import {
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { clock } from "../lib/clock.js";
import type { Outbound } from "../lib/outbound/index.js";
import { PlatenError } from "../plugin-api/index.js";
import type {
  OutboxEvent,
  AttemptOutcome,
  DeliveryNotes,
} from "../storage/database/index.js";

// Messages and signatures by Standard Webhooks 1.0.0: https://www.standardwebhooks.com

export const dayMs = 24 * 60 * 60_000;

/** Receivers are built for small messages: Standard Webhooks recommends less than 20 kB. */
const maxMessageBytes = 20_000;
const maxErrorLength = 2000;
const maxListItems = 20;
const maxResponseBytes = 16 * 1024;

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
  let message = write(data);
  for (const [name, cut] of Object.entries(cuts)) {
    if (Buffer.byteLength(message) < maxMessageBytes) break;
    if (!(name in data)) continue;
    data = { ...data, [name]: cut(data) };
    truncated.push(name);
    message = write(data);
  }
  return message;
}

function takeFirst(list: unknown): unknown[] {
  return Array.isArray(list) ? list.slice(0, maxListItems) : [];
}

const secretPrefix = "whsec_";

/** 256 random bits. */
export function createSecret(): string {
  return secretPrefix + randomBytes(32).toString("base64");
}

export function toKey(secret: string): KeyObject {
  return createSecretKey(secret.slice(secretPrefix.length), "base64");
}

/** The headers of a delivery, with a signature by each key. */
export function signHeaders(
  keys: readonly KeyObject[],
  { id, sentAt, body }: { id: string; sentAt: Date; body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const signatures = keys.map((key) => {
    const hmac = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`);
    return `v1,${hmac.digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

export interface AttemptResult {
  outcome: AttemptOutcome;
  status: number | null;
  /** The first 16 kB of the response; null without a response, and when it comes from a private network. */
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
  const startedAt = clock.date();
  const reply = await outbound.fetch(url, {
    method: "POST",
    headers,
    body,
    timeoutMs,
    maxBytes: maxResponseBytes,
    whenLarger: "cut",
  });
  const error = describeFailure(reply.status);
  const now = clock.date();
  return {
    outcome: error === null ? "delivered" : "refused",
    status: reply.status,
    // What a private network answers is not for everybody who may read deliveries.
    body: reply.isPrivate ? null : reply.body.toString("utf8"),
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
    durationMs: clock.now() - startedAt.getTime(),
  };
}
