import { createServer } from "node:http";
import { once } from "node:events";
import { type ClientAuthMethod, Provider } from "oidc-provider";
import type { Config } from "../../config/index.js";
import type { CookieJar } from "./studio.js";
import { freePort } from "./free-port.js";

/** Someone whom the provider knows; the id is what is typed into its form. */
export interface Account {
  email: string;
  email_verified: boolean;
}

export interface TestProvider {
  issuer: URL;
  accounts: Map<string, Account>;
  stop(): Promise<void>;
}

const client = { clientId: "platen", clientSecret: "s".repeat(43) };

/** A real OpenID Connect provider on loopback, with its own sign-in form. It insists on PKCE. */
export async function startProvider(
  returnUrl: string,
  clientAuthMethods: ClientAuthMethod[] = ["client_secret_basic"],
): Promise<TestProvider> {
  const port = await freePort();
  const issuer = new URL(`http://127.0.0.1:${port}`);
  const accounts = new Map<string, Account>();
  const provider = new Provider(issuer.href.replace(/\/$/, ""), {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [returnUrl],
        ...(clientAuthMethods[0] && {
          token_endpoint_auth_method: clientAuthMethods[0],
        }),
      },
    ],
    clientAuthMethods,
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    scopes: ["openid", "email", "profile"],
    pkce: { required: () => true },
    findAccount: (_ctx, id) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...accounts.get(id) }),
    }),
  });
  const answer = provider.callback();
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    issuer,
    accounts,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Has the service sign people in by this provider alone. */
export function signInBy({ issuer }: TestProvider): Config["signIn"] {
  return {
    linkMs: 900_000,
    sessionIdleMs: 900_000,
    sessionMaxMs: 900_000,
    openId: { issuer, title: "Acme", ...client },
  };
}

export const isReturn = ({ pathname }: URL) =>
  pathname.endsWith("/openid/return");

/** Begins at the service, fills the provider's forms in, and says how it sends the browser back. */
export async function passProvider(
  jar: CookieJar,
  serviceUrl: string,
  account: string,
): Promise<URL> {
  const start = `${serviceUrl}/studio/sign-in/openid`;
  let { url, response } = await jar.follow(start, isReturn);
  while (!isReturn(url)) {
    const form = await response.text();
    const [, action = ""] = /action="([^"]+)"/.exec(form) ?? [];
    const prompt = /name="prompt" value="(\w+)"/.exec(form)?.[1] ?? "";
    const body = new URLSearchParams({ prompt, login: account, password: "x" });
    const sent = await jar.fetch(action, { method: "POST", body });
    const next = new URL(sent.headers.get("location") ?? "", action);
    ({ url, response } = await jar.follow(next, isReturn));
  }
  return url;
}

/** Where the service sends the browser that came back. */
export async function end(jar: CookieJar, back: URL): Promise<string> {
  return (await jar.fetch(back)).headers.get("location") ?? "";
}
