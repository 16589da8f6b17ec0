import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { type MemberRole, operator, Users } from "../../core/accounts/index.js";
import {
  Clients,
  Consent,
  Grants,
  OAuthError,
} from "../../core/accounts/oauth/index.js";
import type { Store } from "../../core/storage/database/index.js";
import { silentLog } from "./recording-log.js";
import type { TestService } from "./service.js";
import { newOwner } from "./store.js";
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

const addresses = {
  issuer: "https://platen.example.com",
  resource: "https://platen.example.com/mcp",
};

/** The services as one process has them. @param describe what other hosts answer for the URL of a client's description */
export function openOauth(
  store: Store,
  describe: (url: string) => object | string | undefined = () => undefined,
) {
  const clients = new Clients(store, {
    fetch: async (url) => {
      const document = describe(url);
      const text =
        typeof document === "object" ? JSON.stringify(document) : document;
      return {
        url,
        status: text === undefined ? 404 : 200,
        headers: {},
        body: Buffer.from(text ?? ""),
        isCut: false,
        isPrivate: false,
      };
    },
  });
  return {
    clients,
    consents: new Consent(store, clients, addresses),
    grants: new Grants(store, addresses, silentLog),
  };
}

/** Someone who is signed in to the studio. */
export async function newMember(
  store: Store,
  role: MemberRole = "owner",
  organizationId?: string,
) {
  const own = organizationId ?? (await newOwner(store)).organizationId;
  const email = `${crypto.randomUUID()}@example.com`;
  const person = { name: "Ada", email, role };
  const { id: userId } = await new Users(store).create(own, person, operator);
  const visitor = { sessionId: "s", userId, organizationId: own, role };
  return { ...visitor, email };
}

/** "done", or the code and description of an OAuth error. */
export async function getOAuthError(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error === null) return "done";
  if (!(error instanceof OAuthError)) throw error;
  return `${error.error} ${error.message}`;
}
