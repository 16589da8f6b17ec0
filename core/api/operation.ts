import type { Readable } from "node:stream";
import { Router, type RouterMiddleware } from "@koa/router";
import type { EntityManager } from "typeorm";
import { z } from "zod";
import {
  type Authenticator,
  type Caller,
  type IdempotencyKeys,
  type Scope,
  type RateLimits,
  requireScope,
  runIdempotent,
  assertWithinRateLimit,
} from "../accounts/index.js";
import {
  bindToLink,
  type Links,
  type OpenLink,
} from "../integrations/platforms/index.js";
import { clock } from "../lib/clock.js";
import { assertUtf8Escapes } from "../lib/http-body.js";
import { assertFewValues, isPlainObject } from "../lib/json.js";
import { requestProblems } from "../lib/request-problems.js";
import type { SecretBox } from "../lib/secrets.js";
import { PlatenError } from "../plugin-api/index.js";
import { describeOwner, watchWork } from "../lib/event-loop.js";
import { type HttpContext, type HttpState, toOwner } from "./middleware.js";
import type { SessionCookies } from "./sessions.js";
import { toResponseBody } from "./json-response.js";
import {
  type BodyParser,
  createJsonReader,
  type JsonReader,
} from "./request-body.js";

/** What a handler receives: validated values and the caller. `ctx` is for headers and the life of the connection alone. */
export interface OperationRequest<Params, Query, Body> {
  caller: Caller;
  params: Params;
  query: Query;
  body: Body;
  /** Whether the client prefers the operation's `reply.file` to JSON. */
  wantsFile: boolean;
  keepAnswer: KeepAnswer;
  ctx: HttpContext;
}

/**
 * Saves the answer under the request's `Idempotency-Key`, in the transaction that does the work; without a key it does
 * nothing. A text is saved as it is, anything else as JSON.
 * @param bodyHash of an operation that reads the body itself, as `Idempotency.hashBody` returns it.
 */
export type KeepAnswer = (
  tx: EntityManager,
  answer: unknown,
  bodyHash?: string,
) => Promise<void>;

/** What an operation that takes an `Idempotency-Key` needs beside the defaults. */
interface Idempotency<Request, Answer> {
  /** The answer holds a credential, so it is saved encrypted. */
  isSecret?: true;
  /** Identifies a body that the handler reads itself. */
  hashBody?(request: Request): Promise<string>;
  /** Answers again by what was kept. By default, that is the answer. */
  replay?(saved: string, request: Request): Promise<Answer>;
}

/** A response header, for the reference. */
interface HeaderNote {
  description: string;
  example: string;
  /** Not every response carries it. */
  optional?: true;
  /** Errors may carry it too. */
  withErrors?: true;
}

export type ErrorStatus =
  400 | 401 | 403 | 404 | 409 | 410 | 413 | 415 | 429 | 500 | 503;

interface UntaggedOperation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> {
  id: string;
  scope: Scope;
  summary: string;
  description: string;
  params?: Params;
  query?: Query;
  body?: Body;
  /** Where a field that this body does not have belongs, by its name. */
  hints?: Readonly<Record<string, string>>;
  /** A link's token is accepted instead of a key; its settings override the body's. */
  takesLinks?: true;
  /** The handler reads and checks the body itself, as it arrives; `body` is for the reference. */
  readsBody?: true;
  /** Fields of the body that may come as `JsonText`: objects which only threads look into. */
  textFields?: readonly string[];
  /** A body of any other type than JSON is a file. */
  takesFile?: true;
  /** The body is a form with files. */
  isForm?: true;
  /** A request with an `Idempotency-Key` is executed once: the handler calls `keepAnswer`. */
  idempotent?:
    | true
    | Idempotency<
        OperationRequest<z.output<Params>, z.output<Query>, z.output<Body>>,
        z.input<Reply> | Readable
      >;
  reply: {
    /** Default 200. */
    status?: 200 | 201 | 202;
    /** Default JSON; of any other, the handler returns the bytes. */
    mimeType?: string;
    /**
     * The type of a file that is returned instead of JSON if the `Accept` header prefers it. The reference has it in the
     * description only: with a second type, generated clients would return a union that needs a cast.
     */
    file?: string;
    description: string;
    schema: Reply;
    headers?: Record<string, HeaderNote>;
  };
  /** Errors beside those that every operation has, and those that follow from its path, body and idempotency. */
  errors?: readonly ErrorStatus[];
  handle(
    request: OperationRequest<
      z.output<Params>,
      z.output<Query>,
      z.output<Body>
    >,
  ): Promise<z.input<Reply> | Readable>;
}

const METHODS = ["get", "post", "put", "patch", "delete"] as const;
type Method = (typeof METHODS)[number];
type Path = `/api/${string}`;

/** The path by its method, as the router writes it: `get: "/api/templates/:templateId"`. */
type Route = {
  [M in Method]: Record<M, Path> & Partial<Record<Exclude<Method, M>, never>>;
}[Method];

/**
 * One method of one path: the router validates requests against these schemas, and the OpenAPI document is generated
 * from the same.
 */
export interface Operation extends UntaggedOperation {
  method: Method;
  path: Path;
  tag:
    | "Templates"
    | "Assets"
    | "Folders"
    | "Documents"
    | "Batches"
    | "Links"
    | "Automations"
    | "Webhooks"
    | "Signatures"
    | "Connections"
    | "Account";
}

/** Returns a function that defines operations with this tag. It infers the schemas' types for `handle`. */
export function createDefinition(tag: Operation["tag"]) {
  return <
    Params extends z.ZodType,
    Query extends z.ZodType,
    Body extends z.ZodType,
    Reply extends z.ZodType,
  >(
    operation: UntaggedOperation<Params, Query, Body, Reply> & Route,
  ): Operation => {
    const method = METHODS.find((name) => operation[name] !== undefined);
    const path = method && operation[method];
    if (!path) throw new Error(`The operation ${operation.id} has no path.`);
    return { tag, ...operation, method, path };
  };
}

/** What every operation's request passes first. */
interface OperationGate {
  authenticator: Pick<Authenticator, "authenticate">;
  /** For people who are signed in, and so need no key. */
  cookies: SessionCookies;
  rateLimits: Pick<RateLimits, "count">;
  idempotencyKeys: IdempotencyKeys;
  /** Encrypts saved answers that hold a credential. */
  answerSecrets: SecretBox;
  maxBodyBytes: number;
  compute: BodyParser;
  links: Pick<Links, "open">;
}

export function createOperationRouter(
  operations: readonly Operation[],
  gate: OperationGate,
): Router<HttpState> {
  const router = new Router<HttpState>();
  const { maxBodyBytes, compute } = gate;
  const readBody = createJsonReader(maxBodyBytes, compute);
  const readUnauthenticated = createJsonReader(
    Math.min(maxBodyBytes, MAX_UNAUTHENTICATED_BYTES),
    compute,
  );
  for (const operation of operations)
    router[operation.method](
      operation.path,
      createHandler(operation, gate, readBody, readUnauthenticated),
    );
  return router;
}

/** Key or session, then rate, then scope, then body and values, so that a stranger learns nothing of the rest. */
function createHandler(
  operation: Operation,
  gate: OperationGate,
  readBody: JsonReader,
  readUnauthenticated: JsonReader,
): RouterMiddleware<HttpState> {
  const { reply, body, hints, readsBody, takesLinks } = operation;
  const route = `${operation.method.toUpperCase()} ${operation.path}`;
  return async (ctx) => {
    describeOwner({ route, ...templateOf(ctx.params) });
    const token = takesLinks
      ? await findLinkToken(ctx, gate.cookies, readUnauthenticated)
      : null;
    const open = token === null ? null : await gate.links.open(token);
    const caller = open ? toLinkCaller(open) : await authenticate(ctx, gate);
    ctx.state.caller = caller;
    describeOwner(toOwner(caller));
    await limitRate(ctx, caller, gate.rateLimits);
    requireScope(caller, operation.scope);
    if (body && !readsBody) await readBody(ctx, operation.textFields);
    if (open && isPlainObject(ctx.request.body))
      ctx.request.body = bindToLink(
        open.link,
        ctx.params["platform"] ?? "",
        ctx.request.body,
      );
    describeOwner(templateOf(ctx.request.body));
    const wantsFile =
      reply.file !== undefined &&
      ctx.accepts("application/json", reply.file) === reply.file;
    assertUtf8Escapes(ctx.querystring, "query");
    const answer = await answerOnce(operation, gate, {
      caller,
      params: validate(operation.params, ctx.params, "params"),
      query: validate(operation.query, groupQuery(ctx.query), "query"),
      body: readsBody ? {} : validate(body, ctx.request.body, "body", hints),
      wantsFile,
      keepAnswer: async () => {},
      ctx,
    });
    ctx.status = reply.status ?? 200;
    ctx.type = (wantsFile ? reply.file : reply.mimeType) ?? "application/json";
    ctx.body = watchWork("write response", () => toResponseBody(answer));
  };
}

/** The template that the path or the body of a request names. */
function templateOf(part: unknown): { templateId?: string } {
  const id = isPlainObject(part) ? part["templateId"] : undefined;
  return typeof id === "string" ? { templateId: id.slice(0, 64) } : {};
}

/** Answers a request; one whose `Idempotency-Key` was used before gets the saved answer. */
async function answerOnce(
  operation: Operation,
  { idempotencyKeys: keys, answerSecrets }: OperationGate,
  request: OperationRequest<unknown, unknown, unknown>,
): Promise<unknown> {
  const { ctx, caller, params, body } = request;
  if (!operation.idempotent || !("idempotency-key" in ctx.headers))
    return operation.handle(request);
  const key = ctx.get("idempotency-key");
  const options = operation.idempotent === true ? {} : operation.idempotent;
  const getFingerprint = (bodyHash?: string) =>
    keys.fingerprint(
      operation.id,
      bodyHash ?? JSON.stringify({ ...Object(body), ...Object(params) }),
    );
  return runIdempotent<unknown>(keys, {
    organizationId: caller.organizationId,
    key,
    fingerprint: async () => getFingerprint(await options.hashBody?.(request)),
    work: (claim) =>
      operation.handle({
        ...request,
        keepAnswer: async (tx, answer, bodyHash) => {
          const text =
            typeof answer === "string" ? answer : JSON.stringify(answer);
          const saved = options.isSecret
            ? await answerSecrets.seal(text, key)
            : text;
          await claim.keep(tx, getFingerprint(bodyHash), saved);
        },
      }),
    again: async (answer) => {
      ctx.set("idempotency-replayed", "true");
      const saved = options.isSecret
        ? await answerSecrets.open(answer, key)
        : answer;
      return options.replay
        ? options.replay(saved, request)
        : JSON.parse(saved);
    },
  });
}

/** Puts parameters such as `metadata[order]=1` into one value: `{ metadata: { order: "1" } }`. */
function groupQuery(query: HttpContext["query"]): Record<string, unknown> {
  const plain: [string, unknown][] = [];
  const groups = new Map<string, [string, unknown][]>();
  for (const [name, value] of Object.entries(query)) {
    const [, group, key] = groupPattern.exec(name) ?? [];
    if (group === undefined || key === undefined) plain.push([name, value]);
    else groups.set(group, [...(groups.get(group) ?? []), [key, value]]);
  }
  const grouped = [...groups].map(
    ([group, values]) => [group, Object.fromEntries(values)] as const,
  );
  return Object.fromEntries([...grouped, ...plain]);
}

// zod drops `__proto__` from records, and with it the filter.
const groupPattern = /^(\w+)\[(?!__proto__\])((?:(?!\]\[).)+)\]$/s;

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
  hints: Readonly<Record<string, string>> = {},
): unknown {
  if (schema === undefined) return undefined;
  assertFewValues(value);
  return parsePart(schema, value, place, hints);
}

/** As `validate`, however many values there are. */
export function parsePart<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  place: keyof typeof requestParts,
  hints: Readonly<Record<string, string>> = {},
): z.output<Schema> {
  const result = watchWork("validate request", () =>
    schema.safeParse(value, { reportInput: true }),
  );
  if (result.success) return result.data;
  const { root, what } = requestParts[place];
  const keys = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const problems = requestProblems(result.error.issues, root, keys, hints);
  throw new PlatenError("invalid_request", `${what}.`, { problems });
}

/**
 * The caller by the session of someone who is signed in, or by `x-api-key`. Where both are sent, the key counts.
 * @throws PlatenError `unauthorized`, and what `SessionCookies.enter` throws.
 */
async function authenticate(
  ctx: HttpContext,
  { authenticator, cookies }: OperationGate,
): Promise<Caller> {
  const key = ctx.get("x-api-key") || undefined;
  return key === undefined && cookies.isShown(ctx)
    ? (await cookies.enter(ctx)).caller
    : authenticator.authenticate(key, ctx.state.address);
}

/** The longest body of a request that is not authenticated yet. */
const MAX_UNAUTHENTICATED_BYTES = 1_048_576;

/**
 * The token of a link, which is accepted instead of a key: `Authorization: Link <token>`, or `token` in the body. Null
 * when the request carries a key or no credentials. The body is read only when the headers carry neither.
 */
async function findLinkToken(
  ctx: HttpContext,
  cookies: SessionCookies,
  readBody: JsonReader,
): Promise<string | null> {
  if (ctx.get("x-api-key") !== "") return null;
  const header = ctx.get("authorization");
  if (header !== "") {
    const token = /^Link +(\S+)$/i.exec(header)?.[1];
    if (token !== undefined) return token;
    throw new PlatenError(
      "unauthorized",
      "The Authorization header only accepts links, as `Authorization: Link <token>`. Send an API key in x-api-key.",
    );
  }
  if (cookies.isShown(ctx)) return null;
  await readBody(ctx);
  const body: unknown = ctx.request.body;
  const token = isPlainObject(body) ? body["token"] : null;
  return typeof token === "string" ? token : null;
}

/** The caller may do this one thing, on behalf of the link's creator. */
function toLinkCaller({ link, plan }: OpenLink): Caller {
  return {
    organizationId: link.organizationId,
    plan,
    userId: link.createdById,
    keyId: link.id,
    scopes: ["documents:write"],
    requestsPerMinute: null,
  };
}

/**
 * Counts requests, where a limit is set, and refuses what is too much. The answer says how the caller stands, in the
 * words of the IETF's draft of RateLimit headers and in the three older ones that many clients read.
 */
async function limitRate(
  ctx: HttpContext,
  caller: Caller,
  limits: Pick<RateLimits, "count">,
): Promise<void> {
  const standing = await limits.count(caller, clock.date());
  if (standing === null) return;
  const { limit, resetSeconds } = standing;
  const remaining = Math.max(0, standing.remaining);
  ctx.set({
    "ratelimit-policy": `"minute";q=${limit};w=60`,
    ratelimit: `"minute";r=${remaining};t=${resetSeconds}`,
    "ratelimit-limit": String(limit),
    "ratelimit-remaining": String(remaining),
    "ratelimit-reset": String(resetSeconds),
  });
  assertWithinRateLimit(standing);
}
