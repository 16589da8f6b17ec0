import { PlatenError } from "../../plugin-api/index.js";
import { createToken, provide } from "../../lib/injection.js";
import { BASE_URL, CONFIG } from "../../lib/process-values.js";
import type { Scope } from "../index.js";

export const OAUTH_ADDRESSES = createToken<OauthAddresses>("OauthAddresses");
provide(OAUTH_ADDRESSES, (c) => {
  const issuer = c.resolve(BASE_URL);
  const { url } = c.resolve(CONFIG).mcp;
  return { issuer, resource: `${url ?? issuer}/mcp` };
});

/** Error codes of RFC 6749, 7591, 8707 and 6750. */
type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope"
  | "invalid_target"
  | "invalid_token"
  | "invalid_redirect_uri"
  | "invalid_client_metadata"
  | "unsupported_grant_type"
  | "unsupported_response_type";

/** An error that a client reads by its code. */
export class OAuthError extends PlatenError {
  constructor(
    readonly error: OAuthErrorCode,
    message: string,
    detail: { cause?: unknown } = {},
  ) {
    // Only a token's holder is asked to sign in again; an unknown client is a fault of the request.
    const code = error === "invalid_token" ? "unauthorized" : "invalid_request";
    super(code, message, detail);
  }
}

/** What an assistant can be allowed: the scopes that tools need. */
export const TOOL_SCOPES = [
  "templates:read",
  "templates:write",
  "documents:read",
  "documents:write",
] as const satisfies readonly Scope[];

/**
 * The scopes of a request that exist; without any, all of them. Others are ignored, since clients ask for what other
 * servers have (`openid`, `offline_access`).
 * @throws OAuthError `invalid_scope` when none is left.
 */
export function parseScope(scope: string | null): Scope[] {
  const words = (scope ?? "").split(" ").filter((word) => word !== "");
  if (words.length === 0) return [...TOOL_SCOPES];
  const scopes = TOOL_SCOPES.filter((toolScope) => words.includes(toolScope));
  if (scopes.length > 0) return scopes;
  throw new OAuthError(
    "invalid_scope",
    `None of the scopes that were asked for exists here. Valid scopes: ${TOOL_SCOPES.join(", ")}.`,
  );
}

export interface OauthAddresses {
  /** The authorization server: the service's address, without a slash at the end. */
  issuer: string;
  /** The protected resource: the tool server. */
  resource: string;
}

/** Relative to the issuer. */
export const oauthPaths = {
  authorize: "/oauth/authorize",
  token: "/oauth/token",
  register: "/oauth/register",
  revoke: "/oauth/revoke",
  /** The studio's page that asks the person. */
  consent: "/studio/connect",
} as const;

/** RFC 8414. */
export function authorizationServerMetadata({
  issuer,
  resource,
}: OauthAddresses) {
  return {
    issuer,
    authorization_endpoint: issuer + oauthPaths.authorize,
    token_endpoint: issuer + oauthPaths.token,
    registration_endpoint: issuer + oauthPaths.register,
    revocation_endpoint: issuer + oauthPaths.revoke,
    scopes_supported: TOOL_SCOPES,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    protected_resources: [resource],
    service_documentation: `${issuer}/docs/how-to/connect-an-assistant`,
  };
}

/** RFC 9728. */
export function protectedResourceMetadata({
  issuer,
  resource,
}: OauthAddresses) {
  return {
    resource,
    authorization_servers: [issuer],
    scopes_supported: TOOL_SCOPES,
    bearer_methods_supported: ["header"],
    resource_name: "Platen",
    resource_documentation: `${issuer}/docs/reference/tool-server`,
  };
}

/**
 * Checks that a request is for the tool server; one that names no resource is.
 * @throws OAuthError `invalid_target`.
 */
export function assertResource(
  resources: readonly string[],
  { resource: ownResource }: OauthAddresses,
): void {
  const other = resources.find(
    (resource) => normalize(resource) !== normalize(ownResource),
  );
  if (other !== undefined)
    throw new OAuthError(
      "invalid_target",
      `This server gives access to ${ownResource} alone; the parameter resource names another.`,
    );
}

/** Scheme and host in lower case, without a slash at the end. */
function normalize(url: string): string {
  return (URL.canParse(url) ? new URL(url).href : url).replace(/\/$/, "");
}

/** null when it is absent or empty. @throws OAuthError `invalid_request` for one that was sent twice. */
export function getParameter(
  query: URLSearchParams,
  name: string,
): string | null {
  const [value, second] = query.getAll(name);
  if (second !== undefined)
    throw new OAuthError("invalid_request", `${name} was sent twice.`);
  return value || null;
}

/** @throws OAuthError `invalid_request` for one that is absent, empty or was sent twice. */
export function requireParameter(form: URLSearchParams, name: string): string {
  const value = getParameter(form, name);
  if (value !== null) return value;
  throw new OAuthError("invalid_request", `${name} is missing.`);
}
