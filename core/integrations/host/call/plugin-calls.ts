import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import {
  type Log,
  PlatenError,
  type PlatformContext,
  PlatformError,
  type TableScope,
} from "../../../plugin-api/index.js";
import type { CallablePlugin } from "../callable-plugins.js";
import type { CallLimits } from "../call-limits.js";
import {
  asPlatformError,
  platformErrorOf,
  pluginFault,
  refusedBy,
} from "../platform-fault.js";
import type { EndedCall } from "./call-metrics.js";
import { CallTime } from "./call-time.js";
import { callContext, type CallParts } from "./call-context.js";
import { whileItLasts } from "./while-it-lasts.js";

/** What is called, and for whom. */
export interface CallTarget {
  plugin: CallablePlugin;
  credentials: unknown;
  scope: Partial<TableScope>;
  /** The plugin's method. */
  what: string;
  /** Whether another attempt after a failure can do no harm. */
  isRepeatable: boolean;
}

export interface PluginCallsParts extends CallParts {
  log: Log;
  /** Told of each call. */
  ended?: (call: EndedCall) => void;
}

export type TimedLimits = CallLimits & { timeoutMs: number };

export type Work = (context: PlatformContext<unknown>) => Promise<unknown>;

/** The wait before the second attempt, in milliseconds; doubled for each further one. */
const firstWaitMs = 500;
const mostAttempts = 4;

/** Calls of plugins: each ends in time, is tried again where that is harmless, and its result is looked at. */
export class PluginCalls {
  constructor(private readonly parts: PluginCallsParts) {}

  /**
   * @param shape what the plugin must return.
   * @param limits `timeoutMs` is for all attempts and the waits between them.
   * @throws PlatenError: see OpenPlatform and OpenEsign.
   */
  async call<T>(
    target: CallTarget,
    limits: TimedLimits,
    shape: z.ZodType<T>,
    work: Work,
  ): Promise<T> {
    const time = new CallTime(limits.timeoutMs, limits.signal);
    const began = performance.now();
    const tell = (outcome: string) =>
      this.parts.ended?.({
        platform: target.plugin.meta.id,
        call: target.what,
        outcome,
        seconds: (performance.now() - began) / 1000,
      });
    try {
      const value = await this.attempts(target, time, limits, shape, work);
      tell("ok");
      return value;
    } catch (error) {
      tell(platformErrorOf(error)?.code ?? "fault");
      throw error;
    } finally {
      time.end();
    }
  }

  private async attempts<T>(
    target: CallTarget,
    time: CallTime,
    limits: TimedLimits,
    shape: z.ZodType<T>,
    work: Work,
  ): Promise<T> {
    const most = target.isRepeatable ? (limits.attempts ?? mostAttempts) : 1;
    for (let attempt = 1; ; attempt += 1)
      try {
        const late = () => lateError(target, limits);
        const value = await this.attempt(target, time, work, late);
        return checked(target, shape, value);
      } catch (thrown) {
        const wait = waitAfter(thrown, attempt);
        if (attempt >= most || wait >= time.remainingMs)
          throw this.told(target, thrown);
        const { signal } = time;
        await sleep(wait, null, { signal }).catch(() => undefined);
      }
  }

  /** One run of `work`, left alone when the time is over before it comes back. */
  private async attempt(
    { plugin, credentials, scope, what }: CallTarget,
    { endsAt, signal: over }: CallTime,
    work: Work,
    late: () => PlatenError,
  ): Promise<unknown> {
    const end = new AbortController();
    const { signal } = end;
    const log = this.parts.log.child({ plugin: plugin.meta.id, call: what });
    const attempt = { plugin, credentials, scope, log, endsAt, signal };
    try {
      const context = callContext(attempt, this.parts);
      return await whileItLasts(async () => work(context), over, late);
    } finally {
      // What the plugin still has under way is ended with it.
      end.abort(late());
    }
  }

  /** Whatever ended a call, as one of ours. */
  private told(
    { plugin: { meta }, what }: CallTarget,
    thrown: unknown,
  ): PlatenError {
    if (thrown instanceof PlatenError) return thrown;
    const refusal = asPlatformError(thrown);
    if (refusal) return refusedBy(meta.title, refusal);
    const { id } = meta;
    this.parts.log.error(
      { err: thrown, plugin: id, call: what },
      "a plugin failed",
    );
    const name = thrown instanceof Error ? thrown.name : typeof thrown;
    const fault = `it threw a ${name} in place of a PlatformError`;
    return pluginFault({ id, what }, fault, thrown);
  }
}

/** How long to wait before another attempt, in milliseconds; Infinity when that would not help. */
function waitAfter(thrown: unknown, attempt: number): number {
  const refusal = asPlatformError(thrown);
  if (!refusal?.retryable) return Infinity;
  const backoff = firstWaitMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
  return refusal.retryAfterMs ?? backoff;
}

function lateError(
  { plugin: { meta }, what }: CallTarget,
  { timeoutMs, signal }: TimedLimits,
): PlatenError {
  const message = signal?.aborted
    ? `"${what}" was stopped.`
    : `"${what}" did not end within ${timeoutMs / 1000} s. Try again.`;
  return refusedBy(meta.title, new PlatformError("unavailable", message));
}

/** @throws PlatenError when the plugin returned what it must not. */
function checked<T>(
  { plugin, what }: CallTarget,
  shape: z.ZodType<T>,
  value: unknown,
): T {
  const { success, data, error } = shape.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  const place = ["$", ...(issue?.path ?? [])].join(".");
  const fault = `at ${place} of what it returned: ${issue?.message ?? "wrong"}`;
  throw pluginFault({ id: plugin.meta.id, what }, fault, error);
}
