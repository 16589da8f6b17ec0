import { z } from "zod";
import type { MemberRole, Visitor } from "../../../accounts/index.js";
import { PlatenError } from "../../../plugin-api/index.js";
import { parsePart } from "../../operation.js";
import type { AppReply, AppRequest, AppRoute } from "./router.js";

interface RouteOptions<Body extends z.ZodType> extends Pick<
  AppRoute,
  "maxBytes" | "maxRequestsPerMinute"
> {
  /** What the body must be. */
  body?: Body;
}

interface MemberRequest<Body> extends Omit<AppRequest, "visitor" | "body"> {
  /** What its schema makes of it. */
  body: Body;
}

/** A route for signed-in people. */
export function memberRoute<Body extends z.ZodType = z.ZodType>(
  method: AppRoute["method"],
  path: AppRoute["path"],
  access: MemberRole,
  answer: (
    visitor: Visitor,
    request: MemberRequest<z.output<Body>>,
  ) => Promise<AppReply>,
  { body: schema, ...options }: RouteOptions<Body> = {},
): AppRoute {
  return {
    ...options,
    method,
    path,
    access,
    handle: async ({ visitor, ...request }) => {
      if (!visitor)
        throw new PlatenError("unauthorized", "You are not signed in.");
      const body: unknown = schema
        ? parsePart(schema, request.body, "body")
        : request.body;
      // Without a schema, the type is unknown.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return answer(visitor, { ...request, body: body as z.output<Body> });
    },
  };
}

/** Routes that respond to signed-in people with JSON; with 204 where there is nothing to say. */
function createRoutes(access: MemberRole) {
  const createRoute =
    (method: AppRoute["method"]) =>
    <Body extends z.ZodType = z.ZodType>(
      path: AppRoute["path"],
      answer: (
        visitor: Visitor,
        request: MemberRequest<z.output<Body>>,
      ) => Promise<unknown>,
      {
        status,
        ...options
      }: RouteOptions<Body> & Pick<AppReply, "status"> = {},
    ): AppRoute =>
      memberRoute<Body>(
        method,
        path,
        access,
        async (visitor, request) => ({
          ...(status !== undefined && { status }),
          json: await answer(visitor, request),
        }),
        options,
      );
  return {
    get: createRoute("get"),
    post: createRoute("post"),
    put: createRoute("put"),
    patch: createRoute("patch"),
    delete: createRoute("delete"),
  };
}

export const viewer = createRoutes("viewer");
export const editor = createRoutes("editor");
export const owner = createRoutes("owner");

/** A text of a body that is not empty. */
export const textField = z.string().trim().min(1);

/** A draft's revision from a body or a query. */
export function parseRevision(value: unknown): number {
  const isText = typeof value === "string" && /^\d{1,9}$/.test(value);
  const number = isText ? Number(value) : value;
  if (typeof number === "number" && Number.isSafeInteger(number) && number >= 0)
    return number;
  throw new PlatenError(
    "invalid_request",
    "expectedRevision: must be the draft's revision, such as 3.",
  );
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
