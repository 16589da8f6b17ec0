/** What a platform's refusal means for whoever asked; the host decides by it whether to try again. */
export type PlatformErrorCode =
  | "auth"
  | "forbidden"
  | "not_found"
  | "invalid_field"
  | "rate_limited"
  | "too_large"
  | "conflict"
  | "unavailable"
  | "unsupported"
  | "bad_config";

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

/** What a platform plugin throws. `message` is shown to users: it says what is wrong and how to mend it, no secret. */
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
