/** An error response in the form that Airtable sends. */
export class AirtableError extends Error {
  constructor(
    readonly status: number,
    readonly body: unknown,
  ) {
    super(JSON.stringify(body));
  }

  static of(status: number, type: string, message: string): AirtableError {
    return new AirtableError(status, { error: { type, message } });
  }
}

export const airtableErrors = {
  authentication: () =>
    AirtableError.of(401, "AUTHENTICATION_REQUIRED", "Authentication required"),
  /** Airtable never reveals which of the two applies. */
  permissionsOrModel: () =>
    AirtableError.of(
      403,
      "INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND",
      "Invalid permissions, or the requested model was not found. Check that both your user and your token have the required permissions, and that the model names and/or ids are correct.",
    ),
  notFound: () => new AirtableError(404, { error: "NOT_FOUND" }),
  rateLimit: () =>
    new AirtableError(429, {
      errors: [
        {
          error: "RATE_LIMIT_REACHED",
          message: "Rate limit exceeded. Please try again later",
        },
      ],
    }),
  unknownField: (name: string) =>
    AirtableError.of(
      422,
      "UNKNOWN_FIELD_NAME",
      `Unknown field name: "${name}"`,
    ),
  formula: (formula: string) =>
    AirtableError.of(
      422,
      "INVALID_FILTER_BY_FORMULA",
      `The formula for filtering records is invalid: ${formula.slice(0, 60)}`,
    ),
  value: (name: string) =>
    AirtableError.of(
      422,
      "INVALID_VALUE_FOR_COLUMN",
      `Field "${name}" cannot accept the provided value`,
    ),
  attachment: (name: string) =>
    AirtableError.of(
      422,
      "INVALID_ATTACHMENT_OBJECT",
      `Invalid attachment object for field ${name}`,
    ),
  tooLarge: () =>
    AirtableError.of(
      413,
      "REQUEST_BODY_TOO_LARGE",
      "Attachment is larger than 5 MB",
    ),
};
