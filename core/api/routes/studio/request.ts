import type { MemberRole, Visitor } from "../../../accounts/index.js";
import { PlatenError } from "../../../plugin-api/index.js";
import type { AppReply, AppRequest, AppRoute } from "./router.js";

interface JsonRouteOptions extends Pick<AppRoute, "maxBytes"> {
  /** Default 200. */
  status?: NonNullable<AppReply["status"]>;
}

/** A route that responds with JSON to signed-in people. */
export function jsonRoute(
  method: AppRoute["method"],
  path: AppRoute["path"],
  access: MemberRole,
  answer: (visitor: Visitor, request: AppRequest) => Promise<unknown>,
  { status, ...options }: JsonRouteOptions = {},
): AppRoute {
  return {
    ...options,
    method,
    path,
    access,
    handle: async (request) => ({
      ...(status && { status }),
      json: await answer(getVisitor(request), request),
    }),
  };
}

/** The visitor of a route that requires sign-in. */
export function getVisitor({ visitor }: AppRequest): Visitor {
  if (visitor) return visitor;
  throw new PlatenError("unauthorized", "You are not signed in.");
}

/** A string that is not empty. @throws PlatenError `invalid_request`. */
export function parseText(body: unknown, name: string): string {
  const value = getValue(body, name);
  if (typeof value === "string" && value.trim() !== "") return value.trim();
  throw invalidRequest(`$.${name}: must be a non-empty string.`);
}

/** An array of strings. @throws PlatenError `invalid_request`. */
export function parseTextArray(body: unknown, name: string): string[] {
  const value = getValue(body, name);
  if (Array.isArray(value) && value.every((item) => typeof item === "string"))
    return value;
  throw invalidRequest(`$.${name}: must be an array of strings.`);
}

/** A time in ISO 8601; null if absent. @throws PlatenError `invalid_request`. */
export function parseTime(body: unknown, name: string): Date | null {
  const value = getValue(body, name);
  if (value === undefined || value === null) return null;
  const time = new Date(typeof value === "string" ? value : Number.NaN);
  if (!Number.isNaN(time.getTime())) return time;
  throw invalidRequest(
    `$.${name}: must be a time such as 2030-12-31T00:00:00Z, or null.`,
  );
}

/** undefined if absent. */
export function getValue(body: unknown, name: string): unknown {
  if (typeof body !== "object" || body === null) return undefined;
  return Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined;
}

const longestNote = 10_000;

/** @throws PlatenError `invalid_request`, like all functions here. */
export function text(body: unknown, name: string): string {
  const value = getValue(body, name);
  if (typeof value === "string") return value;
  throw invalidRequest(`$.${name}: must be a string.`);
}

/** Null if absent. */
export function parseOptionalString(
  body: unknown,
  name: string,
): string | null {
  const value = getValue(body, name);
  return value === undefined || value === null ? null : text(body, name);
}

/** A version note, with the same maximum length as in the public API; null if absent. */
export function parseNote(body: unknown, name: string): string | null {
  const said = parseOptionalString(body, name);
  if (said === null || said.length <= longestNote) return said;
  throw invalidRequest(
    `$.${name}: must be at most ${longestNote} characters long; it has ${said.length}.`,
  );
}

/** False if absent. */
export function parseFlag(body: unknown, name: string): boolean {
  const value = getValue(body, name) ?? false;
  if (typeof value === "boolean") return value;
  throw invalidRequest(`$.${name}: must be true or false.`);
}

/** A draft's revision from a body or a query. */
export function parseRevision(value: unknown): number {
  const isText = typeof value === "string" && /^\d{1,9}$/.test(value);
  const number = isText ? Number(value) : value;
  if (typeof number === "number" && Number.isSafeInteger(number) && number >= 0)
    return number;
  throw invalidRequest(
    "expectedRevision: must be the draft's revision, such as 3.",
  );
}

/** One of these values; undefined if absent. */
export function parseChoice<T extends string>(
  body: unknown,
  name: string,
  words: readonly T[],
): T | undefined {
  const value = getValue(body, name);
  if (value === undefined) return undefined;
  const chosen = words.find((word) => word === value);
  if (chosen !== undefined) return chosen;
  throw invalidRequest(`$.${name}: must be ${words.join(" or ")}.`);
}

/** A number of pixels from 200 to 2000; undefined if absent. */
export function parseWidth(body: unknown, name: string): number | undefined {
  const value = getValue(body, name);
  if (value === undefined) return undefined;
  if (typeof value === "number" && value >= 200 && value <= 2000)
    return Math.round(value);
  throw invalidRequest(
    `$.${name}: must be a number of pixels from 200 to 2000.`,
  );
}

function invalidRequest(message: string): PlatenError {
  return new PlatenError("invalid_request", message);
}

/** Null for no time. */
export function parseQueryTime(said: string | null): Date | null {
  const time = new Date(said ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? null : time;
}

const pageSize = 24;

/** The page number in a query, from 1. */
export function parsePage(query: URLSearchParams): {
  page: number;
  pageSize: number;
} {
  const page = Math.floor(Number(query.get("page") ?? 1));
  return { page: page >= 1 && page < 1_000_000 ? page : 1, pageSize };
}
