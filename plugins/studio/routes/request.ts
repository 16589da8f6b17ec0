import {
  type AppReply,
  type AppRequest,
  type AppRole,
  type AppRoute,
  type AppVisitor,
  PlatenError,
} from "../../../core/plugin-api/index.js";

interface JsonRoute extends Omit<AppRoute, "access" | "handle"> {
  access: AppRole;
  /** Default 200. */
  status?: NonNullable<AppReply["status"]>;
  answer: (visitor: AppVisitor, request: AppRequest) => Promise<unknown>;
}

/** A route that tells JSON to those who are signed in. */
export function jsonRoute({ status, answer, ...route }: JsonRoute): AppRoute {
  return {
    ...route,
    handle: async (request) => ({
      ...(status && { status }),
      json: await answer(visitorOf(request), request),
    }),
  };
}

/** Of a route that lets nobody else pass. */
export function visitorOf({ visitor }: AppRequest): AppVisitor {
  if (visitor) return visitor;
  throw new PlatenError("unauthorized", "You are not signed in.");
}

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

// What the editor sends beside definitions.

const longestNote = 10_000;

/** @throws PlatenError `invalid_request`, as all here do. */
export function text(body: unknown, name: string): string {
  const value = valueOf(body, name);
  if (typeof value === "string") return value;
  throw refused(`$.${name}: must be a text.`);
}

/** Null for nothing. */
export function optional(body: unknown, name: string): string | null {
  const value = valueOf(body, name);
  return value === undefined || value === null ? null : text(body, name);
}

/** What an author says of a version, as long as the public API lets it be; null for nothing. */
export function note(body: unknown, name: string): string | null {
  const said = optional(body, name);
  if (said === null || said.length <= longestNote) return said;
  throw refused(
    `$.${name}: must be at most ${longestNote} characters long; it has ${said.length}.`,
  );
}

/** False when it is not said. */
export function flag(body: unknown, name: string): boolean {
  const value = valueOf(body, name) ?? false;
  if (typeof value === "boolean") return value;
  throw refused(`$.${name}: must be true or false.`);
}

/** A draft's revision, of a body or of a query. */
export function whole(value: unknown): number {
  const isText = typeof value === "string" && /^\d{1,9}$/.test(value);
  const number = isText ? Number(value) : value;
  if (typeof number === "number" && Number.isSafeInteger(number) && number >= 0)
    return number;
  throw refused("expectedRevision: must be the draft's revision, such as 3.");
}

/** One of these words; undefined when it is not said. */
export function choice<T extends string>(
  body: unknown,
  name: string,
  words: readonly T[],
): T | undefined {
  const value = valueOf(body, name);
  if (value === undefined) return undefined;
  const chosen = words.find((word) => word === value);
  if (chosen !== undefined) return chosen;
  throw refused(`$.${name}: must be ${words.join(" or ")}.`);
}

/** Pixels from 200 to 2000; undefined when they are not said. */
export function width(body: unknown, name: string): number | undefined {
  const value = valueOf(body, name);
  if (value === undefined) return undefined;
  if (typeof value === "number" && value >= 200 && value <= 2000)
    return Math.round(value);
  throw refused(`$.${name}: must be a number of pixels from 200 to 2000.`);
}

function refused(message: string): PlatenError {
  return new PlatenError("invalid_request", message);
}

const pageSize = 24;

/** The page of a list that a query asks for, from 1. */
export function sliceOf(query: URLSearchParams): {
  page: number;
  pageSize: number;
} {
  const page = Math.floor(Number(query.get("page") ?? 1));
  return { page: page >= 1 && page < 1_000_000 ? page : 1, pageSize };
}
