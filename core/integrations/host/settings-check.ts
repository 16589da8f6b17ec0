import type { ErrorObject, ValidateFunction } from "ajv";
import type { Problem, SettingsSchema } from "../../plugin-api/index.js";

/** Checks values by a plugin's own schema, and knows which of them are no secrets. */
export class SettingsCheck {
  private constructor(
    private readonly schema: SettingsSchema,
    private readonly validate: ValidateFunction,
  ) {}

  /** @throws Error that says what is wrong with the schema. */
  static async compile(schema: SettingsSchema): Promise<SettingsCheck> {
    const [{ Ajv2020 }, formats] = await Promise.all([
      import("ajv/dist/2020.js"),
      import("ajv-formats"),
    ]);
    const ajv = new Ajv2020({ allErrors: true, strictTypes: false });
    formats.default.default(ajv);
    return new SettingsCheck(schema, ajv.compile(schema));
  }

  /** Every problem at once, its path below `root`; never with a value, which may be a secret. */
  problemsOf(value: unknown, root: string): Problem[] {
    if (this.validate(value)) return [];
    return (this.validate.errors ?? []).map((error) => problemOf(error, root));
  }

  /** Those properties that the schema names and does not call `writeOnly`. */
  openPart(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const { properties } = this.schema;
    const told = new Map(Object.entries(Object(properties)));
    return Object.fromEntries(
      Object.entries(value).filter(
        ([name, held]) => isPlain(held) && isOpen(told.get(name)),
      ),
    );
  }
}

/** Objects and lists may hold secrets anywhere, so they are not looked into. */
function isPlain(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

function isOpen(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  return !("writeOnly" in schema && schema.writeOnly !== false);
}

function problemOf(error: ErrorObject, root: string): Problem {
  const { instancePath, keyword, message = "is wrong", params } = error;
  const path = root + instancePath.replaceAll("/", ".");
  const named: unknown = params["additionalProperty"];
  const hint =
    typeof named === "string" ? { hint: `There is no "${named}".` } : {};
  return { path, code: keyword, message, ...hint };
}
