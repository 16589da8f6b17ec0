import type { ErrorObject, ValidateFunction } from "ajv";
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
    return new CredentialsSchema(schema, ajv.compile(schema));
  }

  /** All problems, with paths below `root`. They never contain a value, which may be a secret. */
  validate(value: unknown, root: string): Problem[] {
    if (this.validator(value)) return [];
    return (this.validator.errors ?? []).map((error) => toProblem(error, root));
  }

  /** The properties that the schema declares and does not mark as `writeOnly`. */
  pickPublic(value: Readonly<Record<string, unknown>>) {
    const { properties } = this.schema;
    const declared = new Map(Object.entries(Object(properties)));
    return Object.fromEntries(
      Object.entries(value).filter(
        ([name, one]) => isScalar(one) && isPublic(declared.get(name)),
      ),
    );
  }
}

/** Objects and arrays are left out, since they may contain secrets anywhere. */
function isScalar(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

function isPublic(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  return !("writeOnly" in schema && schema.writeOnly !== false);
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
