import { z } from "zod";
import { PlatenError } from "../plugin-api/index.js";
import { PLANS, ROLES } from "../storage/database/index.js";

// Validation of administrators' input, shared by all entry points.

const name = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(200, "must be at most 200 characters long");

const oneOf = <const T extends readonly string[]>(words: T) =>
  z.enum(words, `must be one of ${words.join(", ")}`);

export const newOrganization = z.strictObject({ name, plan: oneOf(PLANS) });

export const newUser = z.strictObject({
  name,
  email: z
    .string()
    .trim()
    .max(255, "must be at most 255 characters long")
    .pipe(z.email("must be an e-mail address"))
    .transform((address) => address.toLowerCase()),
  image: z
    .url({ protocol: /^https?$/, error: "must be an http or https address" })
    .max(2048, "must be at most 2048 characters long")
    .nullable()
    .default(null),
  role: oneOf(ROLES).default("editor"),
});

export const keyName = name.default("API key");

/** @throws PlatenError `invalid_request` that says of each value what it must be. */
export function parseInput<T extends z.ZodType>(
  schema: T,
  value: unknown,
): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => ({
    path: ["$", ...path].join("."),
    code: "invalid_value",
    message,
  }));
  throw new PlatenError(
    "invalid_request",
    result.error.issues
      .map(({ path, message }) => `${path.join(".") || "value"} ${message}.`)
      .join(" "),
    { problems },
  );
}
