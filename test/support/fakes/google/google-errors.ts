/** An error response in the form that Google sends. */
export class GoogleError extends Error {
  constructor(
    readonly status: number,
    readonly body: unknown,
  ) {
    super(JSON.stringify(body));
  }

  static of(
    code: number,
    status: string,
    message: string,
    reason?: string,
  ): GoogleError {
    const details = reason === undefined ? [] : [{ reason }];
    const errors = reason === undefined ? [] : [{ reason, message }];
    return new GoogleError(code, {
      error: { code, message, status, errors, details },
    });
  }
}

export const googleErrors = {
  grant: (description: string) =>
    new GoogleError(400, {
      error: "invalid_grant",
      error_description: description,
    }),
  unauthenticated: () =>
    GoogleError.of(
      401,
      "UNAUTHENTICATED",
      "Request had invalid authentication credentials.",
      "ACCESS_TOKEN_EXPIRED",
    ),
  permission: () =>
    GoogleError.of(
      403,
      "PERMISSION_DENIED",
      "The caller does not have permission",
    ),
  notFound: () =>
    GoogleError.of(404, "NOT_FOUND", "Requested entity was not found."),
  range: (range: string) =>
    GoogleError.of(400, "INVALID_ARGUMENT", `Unable to parse range: ${range}`),
  argument: (message: string) =>
    GoogleError.of(400, "INVALID_ARGUMENT", message),
  storage: () =>
    GoogleError.of(
      403,
      "PERMISSION_DENIED",
      "Service Accounts do not have storage quota. Leverage shared drives, or use OAuth delegation instead.",
      "storageQuotaExceeded",
    ),
  quota: (metric: string) =>
    GoogleError.of(
      429,
      "RESOURCE_EXHAUSTED",
      `Quota exceeded for quota metric '${metric} requests' and limit '${metric} requests per minute per user' of service 'sheets.googleapis.com'`,
      "RATE_LIMIT_EXCEEDED",
    ),
};
