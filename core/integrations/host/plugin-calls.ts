import { existsSync } from "node:fs";
import { join } from "node:path";
import { clock, type Timer } from "../../lib/clock.js";
import { Outbound } from "../../lib/outbound/index.js";
import {
  type Log,
  type Metrics,
  PlatenError,
  type PlatformContext,
  PlatformError,
  type TableScope,
  type PlatformErrorCode,
  type PlatformJsonReply,
  type PlatformJsonRequest,
  type PlatformReply,
  type PlatformRequest,
  PLATFORM_ERROR_CODES,
  parseLosslessJson,
} from "../../plugin-api/index.js";
import { provide } from "../../lib/injection.js";
import { CONFIG, LOG, METRICS, PACKAGE } from "../../lib/process-values.js";
import type { CallablePlugin } from "./plugin-contract.js";
import type { PluginMethod } from "./plugin-methods.js";
import {
  type CallPriority,
  type RequestLimiter,
  type RequestOwner,
  RequestLimiters,
} from "./request-limiter.js";

export interface CallTarget<T = unknown> {
  plugin: CallablePlugin;
  credentials: unknown;
  scope: Partial<TableScope>;
  method: PluginMethod<T>;
}

/** Limits of one call, waits and attempts included. */
export interface CallLimits {
  /** Default: that of the method. */
  timeoutMs?: number;
  /** Default 4. A call that writes, or that sends mail, is never repeated as a whole. */
  attempts?: number;
  /** Ends the call early, for example when its job is stopped. */
  signal?: AbortSignal;
  /**
   * The call ends with `rate_limited` instead of waiting longer for the rate limit, until it has read or written something
   * that would be lost. Default: no limit.
   */
  maxWaitMs?: number;
  /** Default `normal`. */
  priority?: CallPriority;
}

interface PluginCallsParts extends CallContextParts {
  log: Log;
  observe?: ReturnType<typeof createCallMetric>;
}

function createCallMetric(metrics: Metrics) {
  return metrics.durations({
    name: "platen_platform_call_seconds",
    help: "Calls of platforms and e-signature providers with their waits and attempts, by how they ended.",
    labels: ["platform", "call", "outcome"],
    upTo: [0.1, 0.3, 1, 3, 10, 30, 120],
  });
}

/** The wait before the second attempt, in milliseconds; doubled for each further one. */
const firstWaitMs = 500;
const maxAttempts = 4;

/** Calls methods of plugins with a timeout, repeats them after failures where that is safe, and validates the results. */
export class PluginCalls {
  constructor(private readonly parts: PluginCallsParts) {}

  /** Calls on behalf of an organization, which may have been narrowed to fewer private networks. */
  forOrganization(organizationId: string): PluginCalls {
    const { outbound } = this.parts;
    const find = () => outbound.forOrganization(organizationId);
    return new PluginCalls({
      ...this.parts,
      outbound: {
        forOrganization: (id) => outbound.forOrganization(id),
        fetch: async (url, call) => (await find()).fetch(url, call),
        addressOf: async (host) => (await find()).addressOf(host),
      },
    });
  }

  /** Calls of what the operator has configured, which may be in any network. */
  forOperator(): PluginCalls {
    const { outbound } = this.parts;
    return new PluginCalls({
      ...this.parts,
      outbound: {
        forOrganization: (id) => outbound.forOrganization(id),
        fetch: (url, call) => outbound.fetch(url, call),
        addressOf: (host) => Promise.resolve(host),
      },
    });
  }

  /**
   * @param limits `timeoutMs` covers all attempts and the waits between them.
   * @throws PlatenError: see ConnectedPlugin.
   */
  async call<T>(
    target: CallTarget<T>,
    limits: CallLimits,
    work: (context: PlatformContext<unknown>) => Promise<unknown>,
  ): Promise<T> {
    const { plugin, method } = target;
    const { timeoutMs = method.timeoutMs, signal } = limits;
    const deadline = new CallDeadline(timeoutMs, signal);
    const startedAt = performance.now();
    const labels = { platform: plugin.meta.id, call: method.name };
    /** @param outcome `ok`, the code of the refusal, or `fault` for a bug in the plugin */
    const report = (outcome: string) => {
      const seconds = (performance.now() - startedAt) / 1000;
      this.parts.observe?.({ ...labels, outcome }, seconds);
    };
    try {
      const value = await this.retry(target, deadline, limits, async () =>
        parseResult(target, await this.attempt(target, deadline, limits, work)),
      );
      report("ok");
      return value;
    } catch (error) {
      report(findPlatformError(error)?.code ?? "fault");
      throw error;
    } finally {
      deadline.dispose();
    }
  }

  getLimiter({
    plugin,
    credentials,
    scope,
  }: Pick<
    CallTarget,
    "plugin" | "credentials" | "scope"
  >): Promise<RequestLimiter> {
    return this.parts.limiters.get(plugin, credentials, scope);
  }

  private async retry<T>(
    target: CallTarget,
    deadline: CallDeadline,
    limits: CallLimits,
    attempt: () => Promise<T>,
  ): Promise<T> {
    const max = target.method.isRepeatable
      ? (limits.attempts ?? maxAttempts)
      : 1;
    for (let count = 1; ; count += 1)
      try {
        return await attempt();
      } catch (thrown) {
        const wait = getRetryDelay(thrown, count, limits.maxWaitMs);
        if (count >= max || clock.pause(wait) >= deadline.remainingMs)
          throw this.toPlatenError(target, thrown);
        const { signal } = deadline;
        await clock.sleep(wait, signal).catch(() => undefined);
      }
  }

  /** Runs `work` once. Rejects when the deadline passes first; what `work` does afterwards is ignored. */
  private async attempt(
    target: CallTarget,
    deadline: CallDeadline,
    limits: CallLimits,
    work: (context: PlatformContext<unknown>) => Promise<unknown>,
  ): Promise<unknown> {
    if (deadline.signal.aborted) throw createTimeoutError(target, limits);
    const { plugin, credentials, scope, method } = target;
    const { name: call, isRepeatable } = method;
    const { maxWaitMs = Infinity, priority = "normal" } = limits;
    const log = this.parts.log.child({ plugin: plugin.meta.id, call });
    const end = new AbortController();
    const { signal } = end;
    const { endsAt } = deadline;
    const timeout = new Promise<never>((_, reject) => {
      deadline.signal.addEventListener(
        "abort",
        () => reject(createTimeoutError(target, limits)),
        { once: true, signal },
      );
    });
    try {
      const context = createCallContext(
        {
          plugin,
          credentials,
          scope,
          log,
          isRepeatable,
          endsAt,
          signal,
          maxWaitMs,
          priority,
        },
        this.parts,
      );
      // `work` may throw synchronously.
      const working = (async () => work(context))();
      return await Promise.race([working, timeout]);
    } finally {
      // Also cancels the requests that the plugin did not wait for.
      end.abort(createTimeoutError(target, limits));
    }
  }

  private toPlatenError(
    { plugin: { meta }, method: { name: method } }: CallTarget,
    thrown: unknown,
  ): PlatenError {
    if (thrown instanceof PlatenError) return thrown;
    const refusal = asPlatformError(thrown);
    if (refusal) return createRefusal(meta.title, refusal);
    const { id } = meta;
    this.parts.log.error(
      { err: thrown, plugin: id, call: method },
      "a plugin failed",
    );
    const name = thrown instanceof Error ? thrown.name : typeof thrown;
    const problem = `it threw a ${name} instead of a PlatformError`;
    return createPluginBug({ id, method }, problem, thrown);
  }
}

provide(PluginCalls, (c) => {
  const config = c.resolve(CONFIG);
  return new PluginCalls({
    outbound: c.resolve(Outbound),
    limiters: new RequestLimiters(config.plugins.processes),
    files: getFileFolder(config),
    userAgent: `Platen/${c.resolve(PACKAGE).version}`,
    log: c.resolve(LOG),
    observe: createCallMetric(c.resolve(METRICS)),
  });
});

/** The time for one call with all its attempts. Must be disposed, because a job's signal outlives thousands of calls. */
class CallDeadline {
  /** In milliseconds of `clock.now`. */
  readonly endsAt: number;
  /** Aborted when the time is over or the call is stopped. */
  readonly signal: AbortSignal;
  private readonly timer: Timer;
  private readonly disposed = new AbortController();

  constructor(milliseconds: number, stop?: AbortSignal) {
    const over = new AbortController();
    this.endsAt = clock.now() + milliseconds;
    this.signal = over.signal;
    this.timer = clock.limit(milliseconds, () => over.abort());
    if (stop?.aborted) over.abort();
    const { signal } = this.disposed;
    stop?.addEventListener("abort", () => over.abort(), { signal });
  }

  get remainingMs(): number {
    return Math.max(0, this.endsAt - clock.now());
  }

  dispose(): void {
    this.timer.cancel();
    this.disposed.abort();
  }
}

/** The wait before the next attempt, in milliseconds; Infinity when another attempt would not help. */
function getRetryDelay(
  thrown: unknown,
  attempt: number,
  maxWaitMs = Infinity,
): number {
  const refusal = asPlatformError(thrown);
  if (!refusal?.retryable) return Infinity;
  if ((refusal.retryAfterMs ?? 0) > maxWaitMs) return Infinity;
  const backoff = firstWaitMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
  return refusal.retryAfterMs ?? backoff;
}

function createTimeoutError(
  { plugin: { meta }, method }: CallTarget,
  { timeoutMs = method.timeoutMs, signal }: CallLimits,
): PlatenError {
  const message = signal?.aborted
    ? `"${method.name}" was stopped.`
    : `"${method.name}" did not finish within ${timeoutMs / 1000} s. Try again.`;
  return createRefusal(meta.title, new PlatformError("unavailable", message));
}

/** @throws PlatenError `internal` when the plugin returned something invalid. */
export function parseResult<T>(
  { plugin, method }: Pick<CallTarget<T>, "plugin" | "method">,
  value: unknown,
): T {
  const { success, data, error } = method.result.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  const path = ["$", ...(issue?.path ?? [])].join(".");
  const problem = `it returned an invalid result at ${path}: ${issue?.message ?? "invalid"}`;
  throw createPluginBug(
    { id: plugin.meta.id, method: method.name },
    problem,
    error,
  );
}

/** How often one request is sent while the platform answers that it is rate limited. */
const maxSends = 4;
/** The wait after the first such answer that does not name a wait, in milliseconds; doubled each time. */
const firstCooldownMs = 1000;
/** The timeout of one request; longer for a large body. */
const requestMs = 30_000;
const minBytesPerMs = 50;
const maxReplyBytes = 64 * 1024 * 1024;

interface CallContextParts {
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
function createCallContext(
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
    return !quotaErrors.some((one) => text.includes(one));
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
    return parseLosslessJson(text);
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

/** The error that the caller of the service gets for each refusal by a platform or provider. */
const codes: Record<PlatformErrorCode, PlatenError["code"]> = {
  auth: "invalid_request",
  forbidden: "invalid_request",
  not_found: "invalid_request",
  invalid_field: "invalid_request",
  rate_limited: "busy",
  quota_exceeded: "invalid_request",
  too_large: "too_large",
  conflict: "unavailable",
  unavailable: "unavailable",
  try_later: "unavailable",
  unsupported: "invalid_request",
  bad_config: "invalid_request",
};

/** The PlatformError in an error or its causes; null when the platform did not refuse anything. */
export function findPlatformError(error: unknown): PlatformError | null {
  for (let one = error; one instanceof Error; one = one.cause) {
    const found = asPlatformError(one);
    if (found !== null) return found;
  }
  return null;
}

/** Recognizes errors by name and code, because a plugin may bundle its own PlatformError class. */
function asPlatformError(thrown: unknown): PlatformError | null {
  if (thrown instanceof PlatformError) return thrown;
  if (!(thrown instanceof Error) || thrown.name !== "PlatformError")
    return null;
  const code: unknown = Reflect.get(thrown, "code");
  const known = PLATFORM_ERROR_CODES.find((one) => one === code);
  if (known === undefined) return null;
  const retryAfterMs: unknown = Reflect.get(thrown, "retryAfterMs");
  return new PlatformError(known, thrown.message, {
    cause: thrown,
    ...(typeof retryAfterMs === "number" && { retryAfterMs }),
  });
}

/** Converts a platform's refusal to a PlatenError that keeps it as its cause. */
export function createRefusal(
  title: string,
  refusal: PlatformError,
): PlatenError {
  const { code, message, retryAfterMs } = refusal;
  return new PlatenError(codes[code], `${title}: ${message}`, {
    cause: refusal,
    ...(retryAfterMs !== undefined && {
      retryAfterSeconds: Math.ceil(retryAfterMs / 1000),
    }),
  });
}

/** For a bug in a plugin: it threw something other than a PlatformError, or returned an invalid result. */
export function createPluginBug(
  { id, method }: { id: string; method: string },
  problem: string,
  cause?: unknown,
): PlatenError {
  return new PlatenError(
    "internal",
    `The plugin ${id} failed in ${method}: ${problem}. This is a bug in the plugin: update it or report it to its author.`,
    cause === undefined ? {} : { cause },
  );
}

/**
 * Whether a `start` that failed with this error may have created a request at the provider. True when the provider did
 * not answer and when the plugin has a bug; only `find` can tell then.
 */
export function isAmbiguous(error: unknown): boolean {
  const refusal = findPlatformError(error);
  if (refusal !== null) return refusal.code === "unavailable";
  return !(error instanceof PlatenError) || error.code === "internal";
}

const defaultRateLimitMs = 5000;
const minRateLimitMs = 250;

/**
 * When to try again after a platform's rate limit, in milliseconds; null for any other error. A rate limit does not count
 * as a failure.
 */
export function getRateLimitDelay(error: unknown): number | null {
  if (!(error instanceof PlatenError) || error.code !== "busy") return null;
  const { retryAfterSeconds } = error;
  if (retryAfterSeconds === undefined) return defaultRateLimitMs;
  return Math.max(minRateLimitMs, retryAfterSeconds * 1000);
}

/** Whether another attempt may succeed. Unexpected errors may be temporary. */
export function isRetryable(error: unknown): boolean {
  return !(error instanceof PlatenError) || error.retryable;
}

/** The folder of files that the operator provides to connections. */
export function getFileFolder({ dataFolder }: { dataFolder: string }): string {
  return join(dataFolder, "databases");
}
