import pLimit, { type LimitFunction } from "p-limit";
import {
  type Log,
  type PlatformContext,
  PlatformError,
  type PlatformJsonReply,
  type PlatformJsonRequest,
  type PlatformRate,
  type PlatformReply,
  type PlatformRequest,
} from "../../core/plugin-api/index.js";
import { errorCodeOf } from "./error-code-of.js";

const maxTries = 3;
const silent: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silent,
};

/** Turns under one plugin's rate; counts those that it grants. */
export class Turns<C> {
  granted = 0;
  readonly #inFlight: LimitFunction;
  readonly #gapMs: number;
  #nextAt = 0;

  constructor(rate: PlatformRate<C>, credentials: C) {
    this.#inFlight = pLimit(rate.maxInFlight);
    const perSecond = Math.min(
      (rate.perSecond ? rate.perSecond(credentials) : rate.maxPerSecond) ??
        Infinity,
      (rate.maxPerMinute ?? Infinity) / 60,
    );
    this.#gapMs = 1_000 / perSecond;
  }

  run<T>(send: () => Promise<T>): Promise<T> {
    return this.#inFlight(async () => {
      const now = Date.now();
      const at = Math.max(now, this.#nextAt);
      this.#nextAt = at + this.#gapMs;
      await pause(at - now);
      this.granted += 1;
      return send();
    });
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** What the host hands to a plugin, without the host: the same promises, the least code that keeps them. */
export class SuiteContext<C> implements PlatformContext<C> {
  readonly log = silent;

  constructor(
    readonly credentials: C,
    readonly signal: AbortSignal,
    private readonly turns: Turns<C>,
  ) {}

  turn<T>(_scope: object, send: () => Promise<T>): Promise<T> {
    return this.#again(() => this.turns.run(send));
  }

  addressOf(host: string): Promise<string> {
    return Promise.resolve(host);
  }

  fileAt(name: string): string {
    return name;
  }

  http(url: string, request: PlatformRequest = {}): Promise<PlatformReply> {
    return this.#again(() => this.turns.run(() => this.#send(url, request)), {
      refuse: ({ status }) => status === 429,
    });
  }

  async json(
    url: string,
    { json, headers, ...rest }: PlatformJsonRequest = {},
  ): Promise<PlatformJsonReply> {
    const content =
      json === undefined ? {} : { method: "POST", body: JSON.stringify(json) };
    const reply = await this.http(url, {
      ...content,
      ...rest,
      headers: {
        accept: "application/json",
        ...(json === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
    });
    return { ...reply, body: parsed(reply) };
  }

  async #send(url: string, request: PlatformRequest): Promise<PlatformReply> {
    try {
      const reply = await fetch(url, {
        ...request,
        redirect: "manual",
        signal: this.signal,
      });
      return {
        status: reply.status,
        headers: Object.fromEntries(reply.headers),
        body: new Uint8Array(await reply.arrayBuffer()),
      };
    } catch (cause) {
      throw new PlatformError("unavailable", "The platform did not answer.", {
        cause,
      });
    }
  }

  /** A refusal for its pace is harmless to repeat: nothing was done. */
  async #again<T>(
    run: () => Promise<T>,
    { refuse }: { refuse?: (result: T) => boolean } = {},
  ): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        const result = await run();
        if (tries === maxTries || refuse?.(result) !== true) return result;
      } catch (error) {
        if (tries === maxTries || errorCodeOf(error) !== "rate_limited")
          throw error;
      }
    }
  }
}

function parsed({ status, body }: PlatformReply): unknown {
  const text = Buffer.from(body).toString("utf8");
  if (text === "") return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    if (status < 200 || status > 299) return text;
    throw new PlatformError(
      "unavailable",
      "The platform answered with something that is not JSON.",
      { status },
    );
  }
}
