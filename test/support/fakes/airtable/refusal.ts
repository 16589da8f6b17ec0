/** An error as Airtable words it. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly body: unknown,
  ) {
    super(JSON.stringify(body));
  }

  static of(status: number, type: string, message: string): Refusal {
    return new Refusal(status, { error: { type, message } });
  }
}

export const refusals = {
  authentication: () =>
    Refusal.of(401, "AUTHENTICATION_REQUIRED", "Authentication required"),
  /** It never says which of the two it is. */
  permissionsOrModel: () =>
    Refusal.of(
      403,
      "INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND",
      "Invalid permissions, or the requested model was not found. Check that both your user and your token have the required permissions, and that the model names and/or ids are correct.",
    ),
  notFound: () => new Refusal(404, { error: "NOT_FOUND" }),
  rateLimit: () =>
    new Refusal(429, {
      errors: [
        {
          error: "RATE_LIMIT_REACHED",
          message: "Rate limit exceeded. Please try again later",
        },
      ],
    }),
  unknownField: (name: string) =>
    Refusal.of(422, "UNKNOWN_FIELD_NAME", `Unknown field name: "${name}"`),
  formula: (formula: string) =>
    Refusal.of(
      422,
      "INVALID_FILTER_BY_FORMULA",
      `The formula for filtering records is invalid: ${formula.slice(0, 60)}`,
    ),
  value: (name: string) =>
    Refusal.of(
      422,
      "INVALID_VALUE_FOR_COLUMN",
      `Field "${name}" cannot accept the provided value`,
    ),
  attachment: (name: string) =>
    Refusal.of(
      422,
      "INVALID_ATTACHMENT_OBJECT",
      `Invalid attachment object for field ${name}`,
    ),
  tooLarge: () =>
    Refusal.of(413, "REQUEST_BODY_TOO_LARGE", "Attachment is larger than 5 MB"),
};
