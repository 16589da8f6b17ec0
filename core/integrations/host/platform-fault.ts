import {
  PLATFORM_ERROR_CODES,
  PlatenError,
  PlatformError,
  type PlatformErrorCode,
} from "../../plugin-api/index.js";

/** What each refusal means to whoever asked for the work. */
const codes: Record<PlatformErrorCode, PlatenError["code"]> = {
  auth: "invalid_request",
  forbidden: "invalid_request",
  not_found: "invalid_request",
  invalid_field: "invalid_request",
  rate_limited: "busy",
  too_large: "too_large",
  conflict: "unavailable",
  unavailable: "unavailable",
  unsupported: "invalid_request",
  bad_config: "invalid_request",
};

/** The platform's refusal in an error or its causes; null when it was not the platform that refused. */
export function platformErrorOf(error: unknown): PlatformError | null {
  for (let one = error; one instanceof Error; one = one.cause) {
    const found = asPlatformError(one);
    if (found !== null) return found;
  }
  return null;
}

/** A plugin may bring a class of its own: an error is known by its name and its code. */
export function asPlatformError(thrown: unknown): PlatformError | null {
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

/** A platform's refusal as an error of ours, which keeps it as its cause. */
export function refusedBy(title: string, refusal: PlatformError): PlatenError {
  const { code, message, retryAfterMs } = refusal;
  return new PlatenError(codes[code], `${title}: ${message}`, {
    cause: refusal,
    ...(retryAfterMs !== undefined && {
      retryAfterSeconds: Math.ceil(retryAfterMs / 1000),
    }),
  });
}

/** What is the plugin's own fault: it threw what is no PlatformError, or returned what it must not. */
export function pluginFault(
  { id, what }: { id: string; what: string },
  fault: string,
  cause?: unknown,
): PlatenError {
  return new PlatenError(
    "internal",
    `The plugin ${id} failed in ${what}: ${fault}. It is a fault of the plugin: update it, or tell its author.`,
    cause === undefined ? {} : { cause },
  );
}
