import { Router, type RouterMiddleware } from "@koa/router";
import { type RateLimits, refuseExcess } from "../../accounts/limits/index.js";
import {
  type App,
  APP_ROLES,
  type AppRole,
  type AppRoute,
  type AppVisitor,
  PlatenError,
} from "../../plugin-api/index.js";
import {
  createDisconnectSignal,
  type HttpContext,
  type HttpState,
} from "../context.js";
import { jsonBody } from "../middleware/json-body.js";
import { AppFolder } from "./app-folder.js";
import { sendReply } from "./send-reply.js";
import type { SessionDoor } from "./session-door.js";

/** An app and where it stands. */
export interface MountedApp {
  /** Its routes and files stand below `/<id>`. */
  id: string;
  app: App;
}

export interface AppGate {
  door: SessionDoor;
  rateLimits: Pick<RateLimits, "countIn">;
  /** Without a slash at the end. */
  baseUrl: string;
}

const mostBytes = 1_048_576;
const signInsAMinute = 30;

/** What a plugin with pages adds: its routes, each behind its guard, and its files. */
export function appRouter(
  { id, app }: MountedApp,
  gate: AppGate,
): Router<HttpState> {
  const router = new Router<HttpState>({ prefix: `/${id}` });
  const at = `${new URL(gate.baseUrl).pathname.replace(/\/$/, "")}/${id}`;
  for (const route of app.routes) {
    const body = jsonBody(route.maxBytes ?? mostBytes);
    router[route.method](route.path, body, handler(route, gate, at));
  }
  const folder = new AppFolder(app.files, at);
  router.get(["/", "/*path"], (ctx) =>
    folder.send(ctx, decoded(ctx.path.slice(id.length + 2))),
  );
  return router;
}

/** What is no text names no file. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new PlatenError("not_found", "There is no such page.");
  }
}

function handler(
  route: AppRoute,
  gate: AppGate,
  at: string,
): RouterMiddleware<HttpState> {
  return async (ctx) => {
    if (route.isSignIn) await countSignIn(ctx, gate);
    const visitor = await admit(ctx, route.access, gate.door);
    if (visitor) await countRequest(visitor, route, gate);
    const reply = await route.handle({
      visitor,
      params: ctx.params,
      query: ctx.URL.searchParams,
      body: ctx.request.body,
      userAgent: ctx.get("user-agent"),
      flow: gate.door.flow(ctx),
      signal: createDisconnectSignal(ctx.res),
    });
    sendReply(ctx, reply, gate.door, at);
  };
}

/** Addresses behind one proxy count together, so there are more of them than a person needs. */
async function countSignIn(
  ctx: HttpContext,
  { rateLimits }: AppGate,
): Promise<void> {
  const bucket = `sign-in:${ctx.ip}`;
  refuseExcess(await rateLimits.countIn(bucket, signInsAMinute, new Date()));
}

async function countRequest(
  { userId }: AppVisitor,
  { path, mostAMinute }: AppRoute,
  { rateLimits }: AppGate,
): Promise<void> {
  if (mostAMinute === undefined) return;
  const bucket = `app:${path}:${userId}`;
  refuseExcess(await rateLimits.countIn(bucket, mostAMinute, new Date()));
}

async function admit(
  ctx: HttpContext,
  access: AppRoute["access"],
  door: SessionDoor,
): Promise<AppVisitor | null> {
  if (access === "anyone") return door.look(ctx);
  const { visitor } = await door.enter(ctx);
  requireRole(visitor.role, access);
  return visitor;
}

function requireRole(role: AppRole, needed: AppRole): void {
  if (APP_ROLES.indexOf(role) >= APP_ROLES.indexOf(needed)) return;
  throw new PlatenError(
    "forbidden",
    `This is for the role ${needed}; yours is ${role}. Ask an owner of the organization.`,
  );
}
