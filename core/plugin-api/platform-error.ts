/** What a platform's refusal means for whoever asked; the host decides by it whether to try again. */
export const PLATFORM_ERROR_CODES = [
  "auth",
  "forbidden",
  "not_found",
  "invalid_field",
  "rate_limited",
  "too_large",
  "conflict",
  "unavailable",
  "unsupported",
  "bad_config",
] as const;
export type PlatformErrorCode = (typeof PLATFORM_ERROR_CODES)[number];

export interface PlatformErrorDetail {
  cause?: unknown;
  /** How long the platform asks us to wait, in milliseconds. */
  retryAfterMs?: number;
  /** The HTTP status of its reply. */
  status?: number;
  recordId?: string;
  fieldId?: string;
}

const retryable: ReadonlySet<PlatformErrorCode> = new Set([
  "rate_limited",
  "unavailable",
  "conflict",
]);

const codes: Readonly<Record<number, PlatformErrorCode>> = {
  400: "invalid_field",
  401: "auth",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  410: "not_found",
  413: "too_large",
  422: "invalid_field",
  429: "rate_limited",
};

/** What an HTTP status says where the platform's own error says no more. */
export function platformErrorCode(status: number): PlatformErrorCode {
  return codes[status] ?? (status < 500 ? "bad_config" : "unavailable");
}

/**
 * What a platform plugin throws. The host knows it by `name` and `code`, so that a plugin that is installed from
 * elsewhere may bring its own class. `message` is shown to users: it says what is wrong and how to mend it, no secret. */
export class PlatformError extends Error {
  override readonly name = "PlatformError";
  readonly retryAfterMs: number | undefined;
  readonly status: number | undefined;
  readonly recordId: string | undefined;
  readonly fieldId: string | undefined;

  constructor(
    readonly code: PlatformErrorCode,
    message: string,
    detail: PlatformErrorDetail = {},
  ) {
    super(message, detail.cause === undefined ? {} : { cause: detail.cause });
    this.retryAfterMs = detail.retryAfterMs;
    this.status = detail.status;
    this.recordId = detail.recordId;
    this.fieldId = detail.fieldId;
  }

  get retryable(): boolean {
    return retryable.has(this.code);
  }
}
