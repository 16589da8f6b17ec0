import type { Readable } from "node:stream";
import { Router, type RouterMiddleware } from "@koa/router";
import { z } from "zod";
import type { Caller, Scope, RateLimits } from "../accounts/index.js";
import { requestProblems } from "../lib/json.js";
import { PlatenError } from "../plugin-api/index.js";
import type { SessionCookies } from "./middleware/sessions.js";
import type { HttpContext, HttpState } from "./context.js";
import {
  authenticateRequest,
  type Authenticate,
  getCaller,
  authenticateWithLink,
  applyLink,
  type OpenLinkToken,
  requireScopeOf,
} from "./middleware/authentication.js";
import { jsonBody } from "./request-body.js";
import { limitRate } from "./middleware/rate-limit.js";

/** What a handler receives: validated values and the caller. `ctx` is for headers and the life of the connection alone. */
export interface OperationRequest<Params, Query, Body> {
  caller: Caller;
  params: Params;
  query: Query;
  body: Body;
  ctx: HttpContext;
}

/** A response header, for the reference. */
type HeaderNote = { description: string; example: string };

/**
 * One method of one path: the router validates requests against these schemas, and the OpenAPI document is generated
 * from the same.
 */
export interface Operation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> {
  id: string;
  method: "get" | "post" | "put" | "patch" | "delete";
  /** As the router writes it: `/api/templates/:templateId`. */
  path: `/api/${string}`;
  scope: Scope;
  tag:
    | "Templates"
    | "Assets"
    | "Folders"
    | "Documents"
    | "Batches"
    | "Links"
    | "Webhooks"
    | "Signatures"
    | "Connections"
    | "Account";
  summary: string;
  description: string;
  params?: Params;
  query?: Query;
  body?: Body;
  /** A link's token is accepted instead of a key; its settings override the body's. */
  takesLinks?: true;
  /** The handler reads and checks the body itself, as it arrives; `body` is for the reference. */
  readsBody?: true;
  /** A body of any other type than JSON is a file. */
  takesFile?: true;
  reply: {
    /** Default 200. */
    status?: 200 | 201 | 202;
    /** Default JSON; of any other, the handler returns the bytes. */
    mimeType?: string;
    description: string;
    schema: Reply;
    headers?: Record<string, HeaderNote>;
  };
  /** Errors beside 400, 401 and 500, which every operation has. */
  errors?: readonly (404 | 409 | 410 | 413 | 429 | 503)[];
  handle(
    request: OperationRequest<
      z.output<Params>,
      z.output<Query>,
      z.output<Body>
    >,
  ): Promise<z.input<Reply> | Readable>;
}

/** Infers the schemas' types for `handle`. */
export function defineOperation<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Reply extends z.ZodType,
>(told: Operation<Params, Query, Body, Reply>): Operation {
  return told;
}

/** What every operation's request passes first. */
interface OperationRouterOptions {
  authenticate: Authenticate;
  /** For people who are signed in, and so need no key. */
  door: SessionCookies;
  rateLimits: Pick<RateLimits, "count">;
  maxBodyBytes: number;
  links: { open: OpenLinkToken };
}

/**
 * Routes for the operations: key or session, then rate, then scope, then body and values, so that a stranger learns nothing of
 * the rest.
 */
export function createOperationRouter(
  operations: readonly Operation[],
  {
    authenticate,
    door,
    rateLimits,
    maxBodyBytes,
    links,
  }: OperationRouterOptions,
): Router<HttpState> {
  const router = new Router<HttpState>();
  const rate = limitRate(rateLimits);
  const byKey = authenticateRequest(authenticate, door);
  const byLink = authenticateWithLink(byKey, door, (token) =>
    links.open(token),
  );
  const body = jsonBody(maxBodyBytes);
  for (const operation of operations) {
    const { method, path, takesLinks } = operation;
    const chain = [
      takesLinks ? byLink : byKey,
      rate,
      requireScopeOf(operation.scope),
    ];
    if (operation.body && !operation.readsBody) chain.push(body);
    if (takesLinks) chain.push(applyLink());
    router[method](path, ...chain, createHandler(operation));
  }
  return router;
}

function createHandler(operation: Operation): RouterMiddleware<HttpState> {
  const { reply, body, readsBody } = operation;
  return async (ctx) => {
    const answer = await operation.handle({
      caller: getCaller(ctx),
      params: validate(operation.params, ctx.params, "params"),
      query: validate(operation.query, { ...ctx.query }, "query"),
      body: readsBody ? {} : validate(body, ctx.request.body, "body"),
      ctx,
    });
    ctx.status = reply.status ?? 200;
    ctx.type = reply.mimeType ?? "application/json";
    ctx.body = answer;
  };
}

const requestParts = {
  body: { root: "$", what: "Invalid request body" },
  query: { root: "", what: "Invalid query" },
  params: { root: "", what: "Invalid path" },
} as const;

/** @throws PlatenError `invalid_request` with every problem of this part of the request. */
export function validate(
  schema: z.ZodType | undefined,
  value: unknown,
  place: keyof typeof requestParts,
): unknown {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const { root, what } = requestParts[place];
  const problems = requestProblems(result.error.issues, root, getKeys(schema));
  throw new PlatenError("invalid_request", `${what}.`, {
    problems,
  });
}

function getKeys(schema: z.ZodType): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}
