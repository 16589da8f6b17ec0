import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Outbound } from "../../lib/outbound/index.js";
import {
  type Log,
  PlatenError,
  type PlatformContext,
  PlatformError,
  type PlatformErrorCode,
  type PlatformJsonReply,
  type PlatformJsonRequest,
  type PlatformReply,
  type PlatformRequest,
  type TableScope,
} from "../../plugin-api/index.js";
import { asPlatformError } from "./plugin-errors.js";
import type { CallablePlugin } from "./plugin-contract.js";
import type {
  RequestLimiter,
  RequestLimiters,
  RequestOwner,
} from "./request-limiter.js";

/** How often one request is sent while the platform answers that it is rate limited. */
const maxSends = 4;
/** The wait after the first such answer that does not name a wait, in milliseconds; doubled each time. */
const firstWaitMs = 1000;
/** The timeout of one request; longer for a large body. */
const requestMs = 30_000;
const minBytesPerMs = 50;
const maxReplyBytes = 64 * 1024 * 1024;

export interface CallContextParts {
  outbound: Pick<Outbound, "fetch" | "addressOf">;
  /** The folder of files that the operator provides to connections, such as SQLite databases. */
  files?: string;
  limiters: RequestLimiters;
  userAgent: string;
}

/** One attempt at a call of a plugin. */
interface CallAttempt extends RequestOwner {
  plugin: CallablePlugin;
  credentials: unknown;
  scope: Partial<TableScope>;
  log: Log;
}

/** Creates what a plugin gets for one attempt: plain functions, so that the plugin may destructure it. */
export function createCallContext(
  attempt: CallAttempt,
  parts: CallContextParts,
): PlatformContext<unknown> {
  const { credentials, signal, log } = attempt;
  const sender = new RequestSender(attempt, parts);
  return {
    credentials,
    signal,
    log,
    http: (url, request) => sender.http(url, request),
    json: (url, request) => sender.json(url, request),
    turn: (scope, send) => sender.runLimited(scope, send),
    addressOf: async (host) => {
      try {
        return await parts.outbound.addressOf(host);
      } catch (error) {
        throw toPlatformError(error);
      }
    },
    fileAt: (name) => findOperatorFile(parts.files, name),
  };
}

/** Sends an attempt's requests within the platform's rate limits. */
class RequestSender {
  constructor(
    private readonly attempt: CallAttempt,
    private readonly parts: CallContextParts,
  ) {}

  async http(url: string, request: PlatformRequest = {}) {
    const limiter = this.getLimiter(this.attempt.scope);
    for (let sends = 1; ; sends += 1) {
      const reply = await limiter.run(this.attempt, async () => {
        const answer = await this.send(url, request);
        // The limiter is paused before this request ends, or else the next one would start.
        if (answer.status === 429)
          this.pause(limiter, sends, parseRetryAfter(answer.headers));
        return answer;
      });
      if (reply.status !== 429 || sends === maxSends) return reply;
    }
  }

  async json(
    url: string,
    { json, method, headers }: PlatformJsonRequest = {},
  ): Promise<PlatformJsonReply> {
    const hasBody = json !== undefined;
    const reply = await this.http(url, {
      method: method ?? (hasBody ? "POST" : "GET"),
      headers: {
        accept: "application/json",
        ...(hasBody && { "content-type": "application/json" }),
        ...headers,
      },
      ...(hasBody && { body: JSON.stringify(json) }),
    });
    return { ...reply, body: parseJsonReply(reply, url) };
  }

  /** Runs a plugin's own `send`, which reports a rate limit by a PlatformError. */
  async runLimited<T>(
    scope: Partial<TableScope>,
    send: () => Promise<T>,
  ): Promise<T> {
    const limiter = this.getLimiter(scope);
    for (let sends = 1; ; sends += 1)
      try {
        return await limiter.run(this.attempt, async () => {
          try {
            return await send();
          } catch (thrown) {
            const refusal = asPlatformError(thrown);
            if (refusal?.code === "rate_limited")
              this.pause(limiter, sends, refusal.retryAfterMs ?? null);
            throw thrown;
          }
        });
      } catch (thrown) {
        const isRateLimited = asPlatformError(thrown)?.code === "rate_limited";
        if (!isRateLimited || sends === maxSends) throw thrown;
      }
  }

  private getLimiter(scope: Partial<TableScope>): RequestLimiter {
    const { plugin, credentials } = this.attempt;
    return this.parts.limiters.get(plugin, credentials, scope);
  }

  private pause(
    limiter: RequestLimiter,
    sends: number,
    retryAfterMs: number | null,
  ): void {
    const { cooldownMs = firstWaitMs * 2 ** (sends - 1) } =
      this.attempt.plugin.rate;
    limiter.pause(retryAfterMs ?? cooldownMs);
  }

  private async send(
    url: string,
    { method, headers, body }: PlatformRequest,
  ): Promise<PlatformReply> {
    const timeoutMs = requestMs + (body?.length ?? 0) / minBytesPerMs;
    try {
      return await this.parts.outbound.fetch(url, {
        ...(method !== undefined && { method }),
        headers: { "user-agent": this.parts.userAgent, ...headers },
        body: body ?? null,
        timeoutMs: Math.min(timeoutMs, this.attempt.endsAt - Date.now()),
        maxBytes: maxReplyBytes,
        signal: this.attempt.signal,
      });
    } catch (error) {
      throw toPlatformError(error);
    }
  }
}

const codes: Partial<Record<PlatenError["code"], PlatformErrorCode>> = {
  invalid_request: "bad_config",
  too_large: "too_large",
};

function toPlatformError(error: unknown): unknown {
  if (!(error instanceof PlatenError)) return error;
  const code = codes[error.code] ?? "unavailable";
  return new PlatformError(code, error.message, { cause: error });
}

/** The wait that a reply asks for, in milliseconds; null without one. RFC 9110, 10.2.3: seconds, or a date. */
function parseRetryAfter(
  headers: Readonly<Record<string, string>>,
): number | null {
  const text = headers["retry-after"]?.trim() ?? "";
  if (/^\d{1,7}(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}

/**
 * Parses a reply's JSON; null for an empty body. @throws PlatformError `unavailable` for a 2xx that is not JSON; of
 * any other status, the text is returned.
 */
function parseJsonReply(
  { status, headers, body }: PlatformReply,
  url: string,
): unknown {
  const text = new TextDecoder().decode(body);
  if (text.trim() === "") return null;
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (status < 200 || status > 299) return text;
    const [type = ""] = (headers["content-type"] ?? "").split(";");
    throw new PlatformError(
      "unavailable",
      `${new URL(url).host} answered ${status} with ${type || "something else"} instead of JSON, which may come from a ` +
        "login page or a proxy. Check the connection's address.",
      { cause, status },
    );
  }
}

/** A name without folders, so that nothing outside the folder can be reached. */
const plainName = /^[\p{L}\p{N}_][\p{L}\p{N}_. -]*$/u;

/** The path of a file in the operator's folder. @throws PlatformError `bad_config` when it does not exist. */
export function findOperatorFile(
  folder: string | undefined,
  name: string,
): string {
  if (folder !== undefined && plainName.test(name)) {
    const path = join(folder, name);
    if (existsSync(path)) return path;
  }
  throw new PlatformError(
    "bad_config",
    `The file "${name}" does not exist. The operator of the service must put it, or a link to it, into the folder ` +
      "`databases` of the data folder.",
  );
}
