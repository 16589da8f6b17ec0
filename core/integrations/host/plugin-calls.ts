import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import {
  type Log,
  type Metrics,
  PlatenError,
  type PlatformContext,
  PlatformError,
  type TableScope,
} from "../../plugin-api/index.js";
import { type CallContextParts, createCallContext } from "./call-context.js";
import {
  asPlatformError,
  createPluginBug,
  createRefusal,
  findPlatformError,
} from "./plugin-errors.js";
import type { CallablePlugin } from "./plugin-contract.js";

/** What is called, and for whom. */
export interface CallTarget {
  plugin: CallablePlugin;
  credentials: unknown;
  scope: Partial<TableScope>;
  method: string;
  /** Whether the call may be repeated after a failure without harm. */
  isRepeatable: boolean;
}

/** Limits of one call, waits and attempts included. */
export interface CallLimits {
  /** Default: 10 s for `check`, 20 s or 30 s for other reads of metadata, otherwise 120 s. */
  timeoutMs?: number;
  /** Default 4. A call that writes, or that sends mail, is never repeated as a whole. */
  attempts?: number;
  /** Ends the call early, for example when its job is stopped. */
  signal?: AbortSignal;
}

type TimedLimits = CallLimits & { timeoutMs: number };

export interface PluginCallsParts extends CallContextParts {
  log: Log;
  /** Called at the end of each call. */
  onCallEnd?: (call: EndedCall) => void;
}

interface EndedCall {
  pluginId: string;
  method: string;
  /** `ok`, the code of the refusal, or `fault` for a bug in the plugin. */
  outcome: string;
  seconds: number;
}

/** Publishes durations and outcomes of calls. @returns a handler for `onCallEnd`. */
export function createPluginCallMetrics(
  metrics: Metrics,
): (call: EndedCall) => void {
  const observe = metrics.durations({
    name: "platen_platform_call_seconds",
    help: "Calls of platforms and e-signature providers with their waits and attempts, by how they ended.",
    labels: ["platform", "call", "outcome"],
    upTo: [0.1, 0.3, 1, 3, 10, 30, 120],
  });
  return ({ pluginId: platform, method: call, outcome, seconds }) =>
    observe({ platform, call, outcome }, seconds);
}

/** The wait before the second attempt, in milliseconds; doubled for each further one. */
const firstWaitMs = 500;
const maxAttempts = 4;

/** Calls methods of plugins with a timeout, repeats them after failures where that is safe, and validates the results. */
export class PluginCalls {
  constructor(private readonly parts: PluginCallsParts) {}

  /**
   * @param limits `timeoutMs` covers all attempts and the waits between them.
   * @param schema what the method must return.
   * @throws PlatenError: see ConnectedPlatform and ConnectedEsign.
   */
  async call<T>(
    target: CallTarget,
    limits: TimedLimits,
    schema: z.ZodType<T>,
    work: (context: PlatformContext<unknown>) => Promise<unknown>,
  ): Promise<T> {
    const deadline = new CallDeadline(limits.timeoutMs, limits.signal);
    const startedAt = performance.now();
    const report = (outcome: string) =>
      this.parts.onCallEnd?.({
        pluginId: target.plugin.meta.id,
        method: target.method,
        outcome,
        seconds: (performance.now() - startedAt) / 1000,
      });
    try {
      const value = await this.retry(target, deadline, limits, async () =>
        parseResult(
          target,
          schema,
          await this.attempt(target, deadline, limits, work),
        ),
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

  private async retry<T>(
    target: CallTarget,
    deadline: CallDeadline,
    limits: TimedLimits,
    attempt: () => Promise<T>,
  ): Promise<T> {
    const max = target.isRepeatable ? (limits.attempts ?? maxAttempts) : 1;
    for (let count = 1; ; count += 1)
      try {
        return await attempt();
      } catch (thrown) {
        const wait = getRetryDelay(thrown, count);
        if (count >= max || wait >= deadline.remainingMs)
          throw this.toPlatenError(target, thrown);
        const { signal } = deadline;
        await sleep(wait, null, { signal }).catch(() => undefined);
      }
  }

  /** Runs `work` once. Rejects when the deadline passes first; what `work` does afterwards is ignored. */
  private async attempt(
    target: CallTarget,
    deadline: CallDeadline,
    limits: TimedLimits,
    work: (context: PlatformContext<unknown>) => Promise<unknown>,
  ): Promise<unknown> {
    if (deadline.signal.aborted) throw createTimeoutError(target, limits);
    const { plugin, credentials, scope, method: call } = target;
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
        { plugin, credentials, scope, log, endsAt, signal },
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
    { plugin: { meta }, method }: CallTarget,
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

/** The time for one call with all its attempts. Must be disposed, because a job's signal outlives thousands of calls. */
class CallDeadline {
  /** In milliseconds of `Date.now`. */
  readonly endsAt: number;
  /** Aborted when the time is over or the call is stopped. */
  readonly signal: AbortSignal;
  private readonly timer: NodeJS.Timeout;
  private readonly disposed = new AbortController();

  constructor(milliseconds: number, stop?: AbortSignal) {
    const over = new AbortController();
    this.endsAt = Date.now() + milliseconds;
    this.signal = over.signal;
    this.timer = setTimeout(() => over.abort(), milliseconds);
    if (stop?.aborted) over.abort();
    const { signal } = this.disposed;
    stop?.addEventListener("abort", () => over.abort(), { signal });
  }

  get remainingMs(): number {
    return Math.max(0, this.endsAt - Date.now());
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.disposed.abort();
  }
}

/** The wait before the next attempt, in milliseconds; Infinity when another attempt would not help. */
function getRetryDelay(thrown: unknown, attempt: number): number {
  const refusal = asPlatformError(thrown);
  if (!refusal?.retryable) return Infinity;
  const backoff = firstWaitMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
  return refusal.retryAfterMs ?? backoff;
}

function createTimeoutError(
  { plugin: { meta }, method }: CallTarget,
  { timeoutMs, signal }: TimedLimits,
): PlatenError {
  const message = signal?.aborted
    ? `"${method}" was stopped.`
    : `"${method}" did not finish within ${timeoutMs / 1000} s. Try again.`;
  return createRefusal(meta.title, new PlatformError("unavailable", message));
}

/** @throws PlatenError `internal` when the plugin returned something invalid. */
function parseResult<T>(
  { plugin, method }: CallTarget,
  schema: z.ZodType<T>,
  value: unknown,
): T {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  const path = ["$", ...(issue?.path ?? [])].join(".");
  const problem = `it returned an invalid result at ${path}: ${issue?.message ?? "invalid"}`;
  throw createPluginBug({ id: plugin.meta.id, method }, problem, error);
}
