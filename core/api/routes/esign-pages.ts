import { Router } from "@koa/router";
import type { Connections } from "../../integrations/connections/index.js";
import { PlatenError, type ShownPage } from "../../plugin-api/index.js";
import type { SignatureNotices } from "../../signatures/index.js";
import type { HttpContext, HttpState } from "../http-state.js";
import { formFields } from "../run-page/form-field.js";
import { problemPages } from "../run-page/problem-pages.js";
import { RunPages } from "../run-page/run-pages.js";

export interface EsignPageServices {
  connections: Pick<Connections, "findEsign">;
  signatureNotices: Pick<SignatureNotices, "noticed">;
  baseUrl: string;
}

/** Nothing but what the page itself says, and its own form. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/**
 * The pages of e-signature providers that have no server of their own. They need no key: what the provider has put into
 * the address is the proof, and only the provider knows it.
 */
export function esignPageRoutes(
  services: EsignPageServices,
): Router<HttpState> {
  const at = new URL(services.baseUrl).pathname.replace(/\/$/, "");
  const router = new Router<HttpState>();
  router.use("/esign/:connectionId", problemPages(new RunPages(at), at));
  router.get("/esign/:connectionId/*path", (ctx) =>
    show(ctx, services, "GET", new Map()),
  );
  router.post("/esign/:connectionId/*path", async (ctx) =>
    show(ctx, services, "POST", await formFields(ctx)),
  );
  return router;
}

async function show(
  ctx: HttpContext,
  { connections, signatureNotices }: EsignPageServices,
  method: "GET" | "POST",
  fields: ReadonlyMap<string, string>,
): Promise<void> {
  const [, , connectionId = "", ...parts] = ctx.path.split("/");
  const connection = await connections.findEsign(connectionId);
  const path = parts.map(decoded).join("/");
  const form = Object.fromEntries(fields);
  const page = await connection?.provider.page({ method, path, form });
  if (!connection || !page)
    throw new PlatenError("not_found", "There is no such page.");
  if (page.notice) await signatureNotices.noticed(connection.id, page.notice);
  send(ctx, page);
}

function send(ctx: HttpContext, { status, mimeType, body }: ShownPage): void {
  ctx.status = status;
  ctx.type = mimeType;
  ctx.set("content-security-policy", policy);
  ctx.set("cache-control", "no-store");
  ctx.set("referrer-policy", "no-referrer");
  ctx.body = typeof body === "string" ? body : Buffer.from(body);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}
