import { PlatenError } from "../../../core/plugin-api/index.js";

/** A text of a body. @throws PlatenError `invalid_request`. */
export function field(body: unknown, name: string): string {
  const value = valueOf(body, name);
  if (typeof value === "string" && value.trim() !== "") return value.trim();
  throw new PlatenError(
    "invalid_request",
    `$.${name}: must be a text that is not empty.`,
  );
}

/** Texts of a body. @throws PlatenError `invalid_request`. */
export function texts(body: unknown, name: string): string[] {
  const value = valueOf(body, name);
  if (Array.isArray(value) && value.every((one) => typeof one === "string"))
    return value;
  throw new PlatenError(
    "invalid_request",
    `$.${name}: must be an array of texts.`,
  );
}

/** A moment of a body, in ISO 8601; null when there is none. @throws PlatenError `invalid_request`. */
export function moment(body: unknown, name: string): Date | null {
  const value = valueOf(body, name);
  if (value === undefined || value === null) return null;
  const time = new Date(typeof value === "string" ? value : Number.NaN);
  if (!Number.isNaN(time.getTime())) return time;
  throw new PlatenError(
    "invalid_request",
    `$.${name}: must be a time such as 2030-12-31T00:00:00Z, or null.`,
  );
}

/** A value of a body, whatever it is. */
export function valueOf(body: unknown, name: string): unknown {
  if (typeof body !== "object" || body === null) return undefined;
  return Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined;
}
