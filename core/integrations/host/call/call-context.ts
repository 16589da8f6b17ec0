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
} from "../../../plugin-api/index.js";
import type { Outbound } from "../../../lib/outbound/index.js";
import type { CallablePlugin } from "../callable-plugins.js";
import type { Lane } from "../pace/lane.js";
import type { Lanes } from "../pace/lanes.js";
import type { TurnRequest } from "../pace/turn.js";
import { asPlatformError } from "../platform-fault.js";
import { laidOutFile } from "./laid-out-file.js";
import { parseReply } from "./parse-reply.js";
import { retryAfterMs } from "./retry-after.js";

/** How often one request is sent while the platform refuses it for coming too soon. */
const mostSends = 4;
/** The wait after the first refusal that names none, in milliseconds; doubled each time. */
const firstWaitMs = 1000;
/** For one request: this, and longer for a large body. */
const requestMs = 30_000;
const slowestBytesPerMs = 50;
const mostReplyBytes = 64 * 1024 * 1024;

export interface CallParts {
  outbound: Pick<Outbound, "fetch" | "addressOf">;
  /** Where the operator lays out files for connections; without it, there are none. */
  files?: string;
  lanes: Lanes;
  userAgent: string;
}

/** One attempt at a call of a plugin. */
export interface CallAttempt extends TurnRequest {
  plugin: CallablePlugin;
  credentials: unknown;
  scope: Partial<TableScope>;
  log: Log;
}

/** What a plugin is handed for one attempt; plain functions, so that it may take them apart. */
export function callContext(
  attempt: CallAttempt,
  parts: CallParts,
): PlatformContext<unknown> {
  const { credentials, signal, log } = attempt;
  const line = new RequestLine(attempt, parts);
  return {
    credentials,
    signal,
    log,
    http: (url, request) => line.http(url, request),
    json: (url, request) => line.json(url, request),
    turn: (scope, send) => line.turn(scope, send),
    addressOf: async (host) => {
      try {
        return await parts.outbound.addressOf(host);
      } catch (error) {
        throw noAnswer(error);
      }
    },
    fileAt: (name) => laidOutFile(parts.files, name),
  };
}

/** Sends an attempt's requests, each in its turn. */
class RequestLine {
  constructor(
    private readonly attempt: CallAttempt,
    private readonly parts: CallParts,
  ) {}

  async http(url: string, request: PlatformRequest = {}) {
    const { plugin, credentials, scope } = this.attempt;
    const lane = this.parts.lanes.laneOf(plugin, credentials, scope);
    for (let sends = 1; ; sends += 1) {
      const reply = await lane.run(this.attempt, async () => {
        const answer = await this.send(url, request);
        // Within its turn: once that ends, the next would start.
        if (answer.status === 429)
          this.pause(lane, sends, retryAfterMs(answer.headers));
        return answer;
      });
      if (reply.status !== 429 || sends === mostSends) return reply;
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
    return { ...reply, body: parseReply(reply, url) };
  }

  async turn<T>(
    scope: Partial<TableScope>,
    send: () => Promise<T>,
  ): Promise<T> {
    const { plugin, credentials } = this.attempt;
    const lane = this.parts.lanes.laneOf(plugin, credentials, scope);
    for (let sends = 1; ; sends += 1)
      try {
        return await lane.run(this.attempt, () =>
          this.sendOwn(lane, sends, send),
        );
      } catch (thrown) {
        const isRefused = asPlatformError(thrown)?.code === "rate_limited";
        if (!isRefused || sends === mostSends) throw thrown;
      }
  }

  private async sendOwn<T>(
    lane: Lane,
    sends: number,
    send: () => Promise<T>,
  ): Promise<T> {
    try {
      return await send();
    } catch (thrown) {
      const refusal = asPlatformError(thrown);
      if (refusal?.code === "rate_limited")
        this.pause(lane, sends, refusal.retryAfterMs ?? null);
      throw thrown;
    }
  }

  private pause(lane: Lane, sends: number, asked: number | null): void {
    const { cooldownMs = firstWaitMs * 2 ** (sends - 1) } =
      this.attempt.plugin.rate;
    lane.pause(asked ?? cooldownMs);
  }

  private async send(
    url: string,
    { method, headers, body }: PlatformRequest,
  ): Promise<PlatformReply> {
    const most = requestMs + (body?.length ?? 0) / slowestBytesPerMs;
    try {
      return await this.parts.outbound.fetch(url, {
        ...(method !== undefined && { method }),
        headers: { "user-agent": this.parts.userAgent, ...headers },
        body: body ?? null,
        timeoutMs: Math.min(most, this.attempt.endsAt - Date.now()),
        maxBytes: mostReplyBytes,
        signal: this.attempt.signal,
      });
    } catch (error) {
      throw noAnswer(error);
    }
  }
}

const codes: Partial<Record<PlatenError["code"], PlatformErrorCode>> = {
  invalid_request: "bad_config",
  too_large: "too_large",
};

function noAnswer(error: unknown): unknown {
  if (!(error instanceof PlatenError)) return error;
  const code = codes[error.code] ?? "unavailable";
  return new PlatformError(code, error.message, { cause: error });
}
