import {
  PlatenError,
  PlatformError,
  type PlatformErrorCode,
  PLATFORM_ERROR_CODES,
} from "../../plugin-api/index.js";

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
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const platformError = asPlatformError(cause);
    if (platformError !== null) return platformError;
  }
  return null;
}

/** Recognizes errors by name and code, because a plugin may bundle its own PlatformError class. */
export function asPlatformError(thrown: unknown): PlatformError | null {
  if (thrown instanceof PlatformError) return thrown;
  if (!(thrown instanceof Error) || thrown.name !== "PlatformError")
    return null;
  const code: unknown = Reflect.get(thrown, "code");
  const knownCode = PLATFORM_ERROR_CODES.find(
    (candidate) => candidate === code,
  );
  if (knownCode === undefined) return null;
  const retryAfterMs: unknown = Reflect.get(thrown, "retryAfterMs");
  return new PlatformError(knownCode, thrown.message, {
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
