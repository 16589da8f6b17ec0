import { existsSync } from "node:fs";
import { join } from "node:path";
import { clock } from "../../lib/clock.js";
import type { Outbound } from "../../lib/outbound/index.js";
import { decodeUtf8 } from "../../lib/utf8.js";
import {
  type Log,
  PlatenError,
  type PlatformContext,
  PlatformError,
  type TableScope,
  type PlatformErrorCode,
  type PlatformJsonReply,
  type PlatformJsonRequest,
  type PlatformReply,
  type PlatformRequest,
  parseLosslessJson,
} from "../../plugin-api/index.js";
import type { CallablePlugin } from "./plugin-contract.js";
import type {
  RequestLimiters,
  RequestLimiter,
  RequestOwner,
} from "./request-limiter.js";
import { asPlatformError } from "./platform-errors.js";

/** How often one request is sent while the platform answers that it is rate limited. */
const maxSends = 4;
/** The wait after the first such answer that does not name a wait, in milliseconds; doubled each time. */
const firstCooldownMs = 1000;
/** The timeout of one request; longer for a large body. */
const requestMs = 30_000;
const minBytesPerMs = 50;
const maxReplyBytes = 64 * 1024 * 1024;

export interface CallContextParts {
  outbound: Pick<Outbound, "fetch" | "addressOf" | "forOrganization">;
  /** The folder of files that the operator provides to connections, such as SQLite databases. */
  files?: string;
  limiters: RequestLimiters;
  userAgent: string;
}

interface CallAttempt extends RequestOwner {
  plugin: CallablePlugin;
  credentials: unknown;
  scope: Partial<TableScope>;
  log: Log;
  isRepeatable: boolean;
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
    json: (url, request) =>
      sendJson((...args) => sender.http(...args), url, request),
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

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/** Sends an attempt's requests within the platform's rate limits. */
class RequestSender {
  /** Whether the attempt has read or written something that would be lost. */
  private hasResult = false;

  constructor(
    private readonly attempt: CallAttempt,
    private readonly parts: CallContextParts,
  ) {}

  async http(url: string, request: PlatformRequest = {}) {
    const limiter = await this.getLimiter(this.attempt.scope, request.bucket);
    for (let sends = 1; ; sends += 1) {
      const reply = await limiter.run(this.owner, async () => {
        const answer = await this.send(url, request);
        // The limiter is paused before this request ends, or else the next one would start.
        if (this.isRateLimited(answer))
          this.pause(limiter, sends, parseRetryAfter(answer.headers));
        else this.noteResult(!safeMethods.has(request.method ?? "GET"));
        return answer;
      });
      if (!this.isRateLimited(reply) || sends === maxSends) return reply;
    }
  }

  /** Runs a plugin's own `send`, which reports a rate limit by a PlatformError. */
  async runLimited<T>(
    scope: Partial<TableScope>,
    send: () => Promise<T>,
  ): Promise<T> {
    const limiter = await this.getLimiter(scope);
    for (let sends = 1; ; sends += 1)
      try {
        return await limiter.run(this.owner, async () => {
          try {
            const sent = await send();
            this.noteResult(true);
            return sent;
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

  private isRateLimited({ status, body }: PlatformReply): boolean {
    if (status !== 429) return false;
    const { quotaErrors = [] } = this.attempt.plugin.rate;
    if (quotaErrors.length === 0) return true;
    const text = new TextDecoder().decode(body);
    return !quotaErrors.some((quotaError) => text.includes(quotaError));
  }

  private get owner(): RequestOwner {
    const { attempt, hasResult } = this;
    return hasResult ? { ...attempt, maxWaitMs: Infinity } : attempt;
  }

  /** What a call that writes has read so far is no loss. */
  private noteResult(isWrite: boolean): void {
    if (isWrite || this.attempt.isRepeatable) this.hasResult = true;
  }

  private getLimiter(
    scope: Partial<TableScope>,
    bucket?: string,
  ): Promise<RequestLimiter> {
    const { plugin, credentials } = this.attempt;
    return this.parts.limiters.get(plugin, credentials, scope, bucket);
  }

  private pause(
    limiter: RequestLimiter,
    sends: number,
    retryAfterMs: number | null,
  ): void {
    const { cooldownMs = firstCooldownMs * 2 ** (sends - 1) } =
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
        timeoutMs: Math.min(timeoutMs, this.attempt.endsAt - clock.now()),
        maxBytes: maxReplyBytes,
        signal: this.attempt.signal,
      });
    } catch (error) {
      throw toPlatformError(error);
    }
  }
}

export async function sendJson(
  http: PlatformContext<unknown>["http"],
  url: string,
  { json, method, headers }: PlatformJsonRequest = {},
): Promise<PlatformJsonReply> {
  const hasBody = json !== undefined;
  const reply = await http(url, {
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

const platformCodes: Partial<Record<PlatenError["code"], PlatformErrorCode>> = {
  invalid_request: "bad_config",
  too_large: "too_large",
};

function toPlatformError(error: unknown): unknown {
  if (!(error instanceof PlatenError)) return error;
  const code = platformCodes[error.code] ?? "unavailable";
  return new PlatformError(code, error.message, { cause: error });
}

/** The wait that a reply asks for, in milliseconds; null without one. RFC 9110, 10.2.3: seconds, or a date. */
function parseRetryAfter(
  headers: Readonly<Record<string, string>>,
): number | null {
  const text = headers["retry-after"]?.trim() ?? "";
  if (/^\d{1,7}(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - clock.now());
}

/**
 * Parses a reply's JSON; null for an empty body. @throws PlatformError `unavailable` for a 2xx that is not JSON or not
 * UTF-8; of any other status, the text is returned.
 */
function parseJsonReply(
  { status, headers, body }: PlatformReply,
  url: string,
): unknown {
  const isRefusal = status < 200 || status > 299;
  const { host } = new URL(url);
  const text = isRefusal
    ? new TextDecoder().decode(body)
    : decodeReply(body, `The response of ${host}`, status);
  if (text.trim() === "") return null;
  try {
    return parseLosslessJson(text);
  } catch (cause) {
    if (isRefusal) return text;
    const [type = ""] = (headers["content-type"] ?? "").split(";");
    throw new PlatformError(
      "unavailable",
      `${host} answered ${status} with ${type || "something else"} instead of JSON, which may come from a ` +
        "login page or a proxy. Check the connection's address.",
      { cause, status },
    );
  }
}

function decodeReply(
  body: Uint8Array,
  subject: string,
  status: number,
): string {
  try {
    return decodeUtf8(body, subject);
  } catch (cause) {
    if (!(cause instanceof PlatenError)) throw cause;
    throw new PlatformError("unavailable", cause.message, { cause, status });
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

/** The folder of files that the operator provides to connections. */
export function getFileFolder({ dataFolder }: { dataFolder: string }): string {
  return join(dataFolder, "databases");
}
