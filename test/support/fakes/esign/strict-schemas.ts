import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";

/** An object with these properties and no other. */
export function strictObject(
  required: Record<string, object>,
  optional: Record<string, object> = {},
) {
  return {
    type: "object",
    additionalProperties: false,
    required: Object.keys(required),
    properties: { ...required, ...optional },
  };
}

/**
 * Holds requests against schemas of our own, stricter than any provider: what it would silently leave out, such as
 * `expiresAt` for `expire_at`, is refused and remembered.
 */
export class StrictSchemas {
  /** What was wrong with the requests so far; a sound plugin leaves none. */
  readonly violations: string[] = [];
  readonly #ajv = new Ajv2020({ allErrors: true, strict: false });
  readonly #checks = new Map<object, ValidateFunction>();

  constructor() {
    formats.default(this.#ajv);
  }

  /** What is wrong with the value; null when nothing is. */
  refuse(schema: object, value: unknown, what: string): string | null {
    const check = this.#checks.get(schema) ?? this.#ajv.compile(schema);
    this.#checks.set(schema, check);
    if (check(value)) return null;
    const fault = `${what}: ${this.#ajv.errorsText(check.errors)}`;
    this.violations.push(fault);
    return fault;
  }
}
