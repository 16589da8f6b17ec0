import { PlatenError } from "../plugin-api/index.js";
import type { Outbound, OutboundReply } from "../lib/outbound/index.js";
import type { AttemptOutcome } from "../storage/database/index.js";
import { parseRetryAfter } from "./retry-wait.js";

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

export interface OutgoingMessage {
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
