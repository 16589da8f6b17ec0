import { createHmac, randomBytes } from "node:crypto";
import type { Outbound, OutboundReply } from "../lib/outbound/index.js";
import { PlatenError } from "../plugin-api/index.js";
import type {
  DeliveryNotes,
  OutboxEvent,
  AttemptOutcome,
} from "../storage/database/index.js";
import { parseRetryAfter } from "./deliverer.js";

/** Receivers are built for small messages: Standard Webhooks advises less than 20 kB. */
const mostBytes = 20_000;
const longestError = 2000;
const mostOutputs = 20;
const mostSubmitters = 20;

type Data = OutboxEvent["data"];

/** What is shortened, in this order, until the message is small enough. */
const cuts: Record<string, (data: Data) => unknown> = {
  metadata: () => ({}),
  error: ({ error }) => String(error).slice(0, longestError),
  outputs: ({ outputs }) => firstOf(outputs, mostOutputs),
  submitters: ({ submitters }) => firstOf(submitters, mostSubmitters),
};

/**
 * The body of a delivery, under 20 kB: `data` is the event's payload; what is ours stands beside it. The names of
 * what was cut stand in `truncated`.
 */
export function messageOf(
  event: Pick<OutboxEvent, "type" | "data" | "createdAt">,
  notes: DeliveryNotes | null,
): string {
  const truncated = [...(notes?.truncated ?? [])];
  const write = (data: Data) => textOf(event, data, notes, truncated);
  let data = event.data;
  for (const [name, cut] of Object.entries(cuts)) {
    if (Buffer.byteLength(write(data)) < mostBytes) break;
    if (!(name in data)) continue;
    data = { ...data, [name]: cut(data) };
    truncated.push(name);
  }
  return write(data);
}

function firstOf(list: unknown, most: number): unknown[] {
  return Array.isArray(list) ? list.slice(0, most) : [];
}

function textOf(
  { type, createdAt }: Pick<OutboxEvent, "type" | "createdAt">,
  data: Data,
  notes: DeliveryNotes | null,
  truncated: readonly string[],
): string {
  return JSON.stringify({
    type,
    timestamp: createdAt.toISOString(),
    data,
    ...notes,
    ...(truncated.length > 0 && { truncated }),
  });
}

// Standard Webhooks 1.0.0: https://www.standardwebhooks.com

const prefix = "whsec_";

/** A new secret of 256 random bits. */
export function newSecret(): string {
  return prefix + randomBytes(32).toString("base64");
}

interface SignedMessage {
  id: string;
  sentAt: Date;
  body: string;
}

/** The headers of a delivery; several secrets, as while one rotates, give several signatures. */
export function signedHeaders(
  secrets: readonly string[],
  { id, sentAt, body }: SignedMessage,
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const signed = `${id}.${timestamp}.${body}`;
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": secrets
      .map((secret) => signatureOf(secret, signed))
      .join(" "),
  };
}

function signatureOf(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice(prefix.length), "base64");
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}

const mostAnswerBytes = 16 * 1024;

/** How an attempt ended. */
export interface AttemptResult {
  outcome: AttemptOutcome;
  status: number | null;
  /** The answer's first 16 kB; null without an answer. */
  body: string | null;
  /** Why it failed; null when it did not. */
  error: string | null;
  retryAfterMs: number | null;
  startedAt: Date;
  durationMs: number;
}

interface OutgoingMessage {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** How an attempt ended that did not get as far as its receiver. */
export function unsent(error: unknown, startedAt: Date): AttemptResult {
  const text =
    error instanceof PlatenError
      ? error.message
      : "The message could not be sent: an unexpected fault.";
  return {
    outcome: "unreachable",
    status: null,
    body: null,
    error: text,
    retryAfterMs: null,
    startedAt,
    durationMs: Date.now() - startedAt.getTime(),
  };
}

/** Sends once and follows no redirect. @throws PlatenError when no answer came. */
export async function sendMessage(
  outbound: Pick<Outbound, "fetch">,
  { url, headers, body }: OutgoingMessage,
  timeoutMs: number,
): Promise<AttemptResult> {
  const startedAt = new Date();
  const reply = await outbound.fetch(url, {
    method: "POST",
    headers,
    body,
    timeoutMs,
    maxBytes: mostAnswerBytes,
    whenLarger: "cut",
  });
  return resultOf(reply, startedAt);
}

function resultOf(reply: OutboundReply, startedAt: Date): AttemptResult {
  const { status, headers, body } = reply;
  const error = complaintAbout(status);
  const now = new Date();
  return {
    outcome: error === null ? "delivered" : "refused",
    status,
    body: body.toString("utf8"),
    error,
    retryAfterMs: parseRetryAfter(headers["retry-after"], now),
    startedAt,
    durationMs: now.getTime() - startedAt.getTime(),
  };
}

function complaintAbout(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return `The receiver answered ${status}, a redirect, which is never followed: set the endpoint's url to where it leads.`;
  return `The receiver answered ${status}; only 2xx is a success.`;
}
