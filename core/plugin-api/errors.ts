/** Determines the HTTP status of an error, and whether a retry can help. */
export type ErrorCode =
  | "invalid_request"
  | "invalid_definition"
  | "unauthorized"
  | "forbidden"
  | "wrong_network"
  | "not_found"
  | "gone"
  | "conflict"
  | "other_visitor"
  | "too_large"
  | "unsupported_encoding"
  | "busy"
  | "merge_failed"
  | "render_failed"
  | "crashed"
  | "timeout"
  | "unavailable"
  | "internal";

/** The specification answers an insufficient scope with 400, hence `forbidden`. */
const kinds: Record<ErrorCode, { status: number; retryable: boolean }> = {
  invalid_request: { status: 400, retryable: false },
  invalid_definition: { status: 400, retryable: false },
  unauthorized: { status: 401, retryable: false },
  forbidden: { status: 400, retryable: false },
  wrong_network: { status: 403, retryable: false },
  not_found: { status: 404, retryable: false },
  gone: { status: 410, retryable: false },
  conflict: { status: 409, retryable: false },
  other_visitor: { status: 412, retryable: false },
  too_large: { status: 413, retryable: false },
  unsupported_encoding: { status: 415, retryable: false },
  busy: { status: 429, retryable: true },
  merge_failed: { status: 400, retryable: false },
  render_failed: { status: 500, retryable: true },
  crashed: { status: 500, retryable: true },
  timeout: { status: 500, retryable: true },
  unavailable: { status: 503, retryable: true },
  internal: { status: 500, retryable: true },
};

/** One problem of a definition or a request. `path` is a JSON path such as `$.components[2].text`. */
export interface Problem {
  path: string;
  code: string;
  message: string;
  /** How to fix it, such as a did-you-mean. */
  hint?: string;
  /** The expression with the problem, and the 1-based column in it. */
  expression?: string;
  column?: number;
  /** In a text of several lines, such as HTML: its 1-based line; `column` is then in this line. */
  line?: number;
  /** What the message says, for a translation by the code. */
  values?: object;
}

export interface ErrorDetail {
  cause?: unknown;
  problems?: readonly Problem[];
  retryAfterSeconds?: number;
}

/**
 * The error class of the service. `message` is public: it says what is wrong, where, and how to fix it. Internal details
 * belong in `cause`, which is only logged.
 */
export class PlatenError extends Error {
  override readonly name = "PlatenError";
  readonly status: number;
  readonly retryable: boolean;
  readonly problems: readonly Problem[];
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    detail: ErrorDetail = {},
  ) {
    super(message, detail.cause === undefined ? {} : { cause: detail.cause });
    this.status = kinds[code].status;
    this.retryable = kinds[code].retryable;
    this.problems = detail.problems ?? [];
    this.retryAfterSeconds = detail.retryAfterSeconds;
  }
}

/**
 * The public text of an error, with each of its problems once. Reveals nothing about errors other than PlatenError.
 */
export function formatError(error: unknown, maxProblems = 50): string {
  if (!(error instanceof PlatenError)) return "An unexpected fault.";
  const unsaid = findUnsaidProblems(error);
  const listed = unsaid
    .slice(0, maxProblems)
    .map((problem) => describeProblem(problem).replace(/\.$/, ""));
  const more = unsaid.length - listed.length;
  if (more > 0) listed.push(`and ${more} more`);
  if (listed.length === 0) return error.message;
  return `${error.message} ${listed.join("; ")}.`.replace(/\?\.$/, "?");
}

/** The problems that the message of an error does not describe itself. */
export function findUnsaidProblems(error: PlatenError): readonly Problem[] {
  return error.problems.filter(
    ({ message }) => !error.message.includes(message),
  );
}

/** The text of one problem: where, what, and how to fix it. */
export function describeProblem(problem: Problem): string {
  const { path, message, hint, line, column } = problem;
  const place =
    line === undefined ? path : `${path}, line ${line}, column ${column ?? 1}`;
  return `${place}: ${[message, hint].filter(Boolean).join(" ")}`;
}
