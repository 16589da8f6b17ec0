/** An error as Google words it. */
export class GoogleRefusal extends Error {
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
  ): GoogleRefusal {
    const details = reason === undefined ? [] : [{ reason }];
    const errors = reason === undefined ? [] : [{ reason, message }];
    return new GoogleRefusal(code, {
      error: { code, message, status, errors, details },
    });
  }
}

export const googleRefusals = {
  grant: (description: string) =>
    new GoogleRefusal(400, {
      error: "invalid_grant",
      error_description: description,
    }),
  unauthenticated: () =>
    GoogleRefusal.of(
      401,
      "UNAUTHENTICATED",
      "Request had invalid authentication credentials.",
      "ACCESS_TOKEN_EXPIRED",
    ),
  permission: () =>
    GoogleRefusal.of(
      403,
      "PERMISSION_DENIED",
      "The caller does not have permission",
    ),
  notFound: () =>
    GoogleRefusal.of(404, "NOT_FOUND", "Requested entity was not found."),
  range: (range: string) =>
    GoogleRefusal.of(
      400,
      "INVALID_ARGUMENT",
      `Unable to parse range: ${range}`,
    ),
  argument: (message: string) =>
    GoogleRefusal.of(400, "INVALID_ARGUMENT", message),
  storage: () =>
    GoogleRefusal.of(
      403,
      "PERMISSION_DENIED",
      "Service Accounts do not have storage quota. Leverage shared drives, or use OAuth delegation instead.",
      "storageQuotaExceeded",
    ),
  quota: (metric: string) =>
    GoogleRefusal.of(
      429,
      "RESOURCE_EXHAUSTED",
      `Quota exceeded for quota metric '${metric} requests' and limit '${metric} requests per minute per user' of service 'sheets.googleapis.com'`,
      "RATE_LIMIT_EXCEEDED",
    ),
};
