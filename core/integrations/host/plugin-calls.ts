import { clock, type Timer } from "../../lib/clock.js";
import { Outbound } from "../../lib/outbound/index.js";
import {
  type Log,
  type Metrics,
  PlatenError,
  type PlatformContext,
  PlatformError,
  type TableScope,
} from "../../plugin-api/index.js";
import { provide } from "../../lib/injection.js";
import { CONFIG, LOG, METRICS, PACKAGE } from "../../lib/process-values.js";
import type { CallablePlugin } from "./plugin-contract.js";
import type { PluginMethod } from "./plugin-methods.js";
import {
  type CallPriority,
  type RequestLimiter,
  RequestLimiters,
} from "./request-limiter.js";
import {
  type CallContextParts,
  createCallContext,
  getFileFolder,
} from "./call-context.js";
import {
  findPlatformError,
  asPlatformError,
  createRefusal,
  createPluginBug,
} from "./platform-errors.js";

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
