import type { ErrorObject, ValidateFunction } from "ajv";
import { z } from "zod";
import type { Problem, SettingsSchema } from "../../plugin-api/index.js";

/** The JSON Schema of a plugin's credentials: validates them and tells secrets from other values. */
export class CredentialsSchema {
  private constructor(
    private readonly schema: SettingsSchema,
    private readonly validator: ValidateFunction,
  ) {}

  /** @throws Error that says what is wrong with the schema. */
  static async compile(schema: SettingsSchema): Promise<CredentialsSchema> {
    const [{ Ajv2020 }, formats] = await Promise.all([
      import("ajv/dist/2020.js"),
      import("ajv-formats"),
    ]);
    const ajv = new Ajv2020({ allErrors: true, strictTypes: false });
    formats.default.default(ajv);
    ajv.addKeyword("translations");
    return new CredentialsSchema(schema, ajv.compile(schema));
  }

  /** All problems, with paths below `root`. They never contain a value, which may be a secret. */
  validate(value: unknown, root: string): Problem[] {
    if (this.validator(value)) return [];
    // An error of `if` only repeats that its branch does not match.
    return (this.validator.errors ?? [])
      .filter(({ keyword }) => keyword !== "if")
      .map((error) => toProblem(error, root));
  }

  /**
   * The properties that the schema declares and does not mark as `writeOnly`. Lists and objects are among them only if
   * the schema describes all that they may hold, and marks nothing of it.
   */
  pickPublic(value: Readonly<Record<string, unknown>>) {
    const { properties } = this.schema;
    const declared = new Map(Object.entries(Object(properties)));
    return Object.fromEntries(
      Object.entries(value).filter(([name, item]) =>
        isScalar(item)
          ? isPublic(declared.get(name))
          : isWhollyPublic(declared.get(name)),
      ),
    );
  }
}

function isScalar(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

function isPublic(schema: unknown): schema is object {
  if (typeof schema !== "object" || schema === null) return false;
  return !("writeOnly" in schema && schema.writeOnly !== false);
}

/** The parts of a schema that say what a list or an object may hold; one with others may hold secrets anywhere. */
const describedParts = z.strictObject({
  type: z.enum(["string", "integer", "number", "boolean", "array", "object"]),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).default({}),
  additionalProperties: z.unknown().optional(),
});

/** Keywords that neither describe values nor refer to other schemas. */
const plainKeywords: ReadonlySet<string> = new Set(
  (
    "title description default examples writeOnly format enum pattern minLength maxLength minimum maximum " +
    "minItems maxItems uniqueItems required"
  ).split(" "),
);

function isWhollyPublic(schema: unknown): boolean {
  if (!isPublic(schema)) return false;
  const described = describedParts.safeParse(
    Object.fromEntries(
      Object.entries(schema).filter(([name]) => !plainKeywords.has(name)),
    ),
  );
  if (!described.success) return false;
  const { type, items, properties, additionalProperties } = described.data;
  if (type === "array") return isWhollyPublic(items);
  if (type !== "object") return true;
  const parts = Object.values(properties);
  if (additionalProperties !== false) parts.push(additionalProperties);
  return parts.every(isWhollyPublic);
}

function toProblem(error: ErrorObject, root: string): Problem {
  const { instancePath, keyword, message = "is invalid", params } = error;
  const path = root + instancePath.replaceAll("/", ".");
  const unknown: unknown = params["additionalProperty"];
  return {
    path,
    code: keyword,
    message,
    ...(typeof unknown === "string" && {
      hint: `Unknown property "${unknown}".`,
    }),
  };
}
