import { Router } from "@koa/router";
import {
  type RateLimits,
  assertWithinRateLimit,
} from "../../accounts/index.js";
import {
  authorizationServerMetadata,
  type Clients,
  type Grants,
  OAuthError,
  type OauthAddresses,
  oauthPaths,
  protectedResourceMetadata,
} from "../../accounts/oauth/index.js";
import { clock } from "../../lib/clock.js";
import { getBasePath } from "../../lib/process-values.js";
import type { PlatenError } from "../../plugin-api/index.js";
import {
  type HttpMiddleware,
  type HttpState,
  logError,
  toPublicError,
} from "../middleware.js";
import { createJsonReader, readProgramForm } from "../request-body.js";

export interface OauthServices {
  oauthAddresses: OauthAddresses;
  oauthClients: Pick<Clients, "register">;
  grants: Pick<Grants, "exchange" | "revokeToken">;
  rateLimits: Pick<RateLimits, "countIn">;
}

const maxBytes = 65_536;
const maxRegistrationsPerMinute = 60;

/**
 * What programs call that connect by OAuth: metadata, registration, tokens and revocation. The person is asked by a page
 * of the studio, to which the authorization endpoint leads.
 */
export function oauthRoutes(services: OauthServices): Router<HttpState> {
  const { oauthAddresses, oauthClients, grants, rateLimits } = services;
  const router = new Router<HttpState>();
  addMetadata(router, oauthAddresses);
  router.get(oauthPaths.authorize, (ctx) => {
    ctx.redirect(`${oauthAddresses.issuer}${oauthPaths.consent}${ctx.search}`);
    ctx.body = null;
    ctx.status = 303;
  });
  const readJson = createJsonReader(maxBytes);
  router.post(oauthPaths.register, handleOAuthErrors, async (ctx) => {
    // Addresses behind one proxy count together.
    const bucket = `oauth-register:${ctx.ip}`;
    assertWithinRateLimit(
      await rateLimits.countIn(bucket, maxRegistrationsPerMinute, clock.date()),
    );
    await readJson(ctx);
    ctx.status = 201;
    ctx.body = await oauthClients.register(ctx.request.body);
  });
  router.post(oauthPaths.token, handleOAuthErrors, async (ctx) => {
    ctx.body = await grants.exchange(await readProgramForm(ctx, maxBytes));
  });
  router.post(oauthPaths.revoke, handleOAuthErrors, async (ctx) => {
    await grants.revokeToken(await readProgramForm(ctx, maxBytes));
    ctx.body = {};
  });
  return router;
}

/** Clients look for the path of an issuer or resource behind the well-known name (RFC 8414, 9728). */
function addMetadata(
  router: Router<HttpState>,
  addresses: OauthAddresses,
): void {
  const { issuer, resource } = addresses;
  const issuerPath = getBasePath(issuer);
  const server = "/.well-known/oauth-authorization-server";
  const add = (paths: readonly string[], document: object) => {
    for (const path of new Set(paths))
      router.get(path, (ctx) => {
        // Pages of other origins may read it: there is no secret in it.
        ctx.set({
          "access-control-allow-origin": "*",
          "cache-control": "public, max-age=300",
        });
        ctx.body = document;
      });
  };
  add([server, server + issuerPath], authorizationServerMetadata(addresses));
  const ofResource = "/.well-known/oauth-protected-resource";
  const path = getBasePath(resource);
  const named = path.replace(/\/mcp$/, `${ofResource}/mcp`);
  add(
    [
      ofResource,
      `${ofResource}/mcp`,
      ofResource + path,
      // As the challenge of /mcp names it, which a proxy for the path of PLATEN_MCP_URL passes on.
      named,
      named.slice(named.startsWith(`${issuerPath}/`) ? issuerPath.length : 0),
    ],
    protectedResourceMetadata(addresses),
  );
}

/** Answers as RFC 6749 says, with a code that programs know. */
const handleOAuthErrors: HttpMiddleware = async (ctx, next) => {
  try {
    await next();
  } catch (thrown) {
    const error = toPublicError(ctx, thrown);
    logError(ctx, error, thrown);
    const errorCode = toErrorCode(error);
    ctx.status = errorCode === "invalid_client" ? 401 : error.status;
    if (error.retryAfterSeconds !== undefined)
      ctx.set("retry-after", String(Math.ceil(error.retryAfterSeconds)));
    ctx.body = { error: errorCode, error_description: error.message };
  }
};

function toErrorCode(error: PlatenError): string {
  if (error instanceof OAuthError) return error.error;
  if (error.status >= 500) return "server_error";
  return error.code === "busy" ? "temporarily_unavailable" : "invalid_request";
}
