import type { Readable } from "node:stream";
import type { z } from "zod";
import type { Caller, Scope } from "../accounts/index.js";
import type { HttpContext } from "./http-state.js";

/** What a route gets: checked values, and who asks. `ctx` is for headers and the life of the connection alone. */
export interface OperationRequest<Params, Query, Body> {
  caller: Caller;
  params: Params;
  query: Query;
  body: Body;
  ctx: HttpContext;
}

/** A response header, for the reference. */
export type HeaderNote = { description: string; example: string };

/**
 * One method of one path, told once: the router checks requests by these schemas, and the OpenAPI document is made
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
  /** A link's token stands in for a key, and what it settles for the body's. */
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
export function operation<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Reply extends z.ZodType,
>(told: Operation<Params, Query, Body, Reply>): Operation {
  return told;
}
