import type { MemberRole } from "../../core/accounts/index.js";
import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { Clients } from "../../core/accounts/oauth/index.js";
import type { TestService } from "./service.js";
import { newVisitor, type TestVisitor } from "./studio.js";

/** Where the test's client wants people to be sent. Nothing listens there. */
export const callback = "http://127.0.0.1:33418/callback";

export const tokensSchema = z.strictObject({
  access_token: z.string(),
  token_type: z.literal("Bearer"),
  expires_in: z.number(),
  refresh_token: z.string(),
  scope: z.string(),
});
export type Tokens = z.output<typeof tokensSchema>;

const oauthErrorSchema = z.strictObject({
  error: z.string(),
  error_description: z.string(),
});

/** The status, code and description of an error that a client reads. */
export async function readOAuthError(response: Response): Promise<string> {
  const error = oauthErrorSchema.parse(await response.json());
  return `${response.status} ${error.error} ${error.error_description}`;
}

/** Registers a client and returns its id. Directly, as the route allows 60 a minute. */
export async function registerClient(
  service: TestService,
  metadata: object = {},
): Promise<string> {
  const clients = service.container.resolve(Clients);
  const { client_id: clientId } = await clients.register({
    client_name: "Test assistant",
    redirect_uris: [callback],
    ...metadata,
  });
  return clientId;
}

export function register(
  service: TestService,
  metadata: unknown,
): Promise<Response> {
  return fetch(`${service.url}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(metadata),
  });
}

export function postForm(
  service: TestService,
  path: "/oauth/token" | "/oauth/revoke",
  fields: Record<string, string>,
): Promise<Response> {
  const body = new URLSearchParams(fields);
  return fetch(service.url + path, { method: "POST", body });
}

export const newVerifier = () => randomBytes(32).toString("base64url");

export function createChallenge(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

/** The query of a good authorization request; a null leaves a parameter out. */
export function authorizationQuery(
  clientId: string,
  verifier: string,
  changes: Record<string, string | null> = {},
): string {
  const parameters = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: callback,
    code_challenge: createChallenge(verifier),
    code_challenge_method: "S256",
    state: "the-state",
    ...changes,
  };
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as [string, string]],
  );
  return new URLSearchParams(given).toString();
}

/** Answers the question as the page does. @returns where the browser is sent. */
export async function consent(
  visitor: TestVisitor,
  query: string,
  organizationId: string | null = visitor.organizationId,
): Promise<URL> {
  const response = await visitor.send("POST", "/studio/api/consent", {
    query,
    organizationId,
  });
  const body: unknown = await response.json();
  return new URL(z.strictObject({ redirect: z.string() }).parse(body).redirect);
}

/** A client that someone has allowed something. */
export interface ConnectedAssistant {
  clientId: string;
  visitor: TestVisitor;
  tokens: Tokens;
}

/** Goes the whole way by plain requests. */
export async function connectAssistant(
  service: TestService,
  {
    role = "owner",
    scope = null,
    visitor: known,
  }: { role?: MemberRole; scope?: string | null; visitor?: TestVisitor } = {},
): Promise<ConnectedAssistant> {
  const visitor = known ?? (await newVisitor(service, role));
  const clientId = await registerClient(service);
  const verifier = newVerifier();
  const query = authorizationQuery(clientId, verifier, { scope });
  const redirect = await consent(visitor, query);
  const response = await postForm(service, "/oauth/token", {
    grant_type: "authorization_code",
    client_id: clientId,
    code: redirect.searchParams.get("code") ?? "",
    redirect_uri: callback,
    code_verifier: verifier,
  });
  const tokens = tokensSchema.parse(await response.json());
  return { clientId, visitor, tokens };
}

export function refresh(
  service: TestService,
  clientId: string,
  token: string,
  more: Record<string, string> = {},
): Promise<Response> {
  return postForm(service, "/oauth/token", {
    grant_type: "refresh_token",
    client_id: clientId,
    refresh_token: token,
    ...more,
  });
}
