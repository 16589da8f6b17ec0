import { createServer } from "node:http";
import { once } from "node:events";
import { Provider } from "oidc-provider";
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

export const client = { clientId: "platen", clientSecret: "s".repeat(43) };

/** A real OpenID Connect provider on loopback, with its own sign-in form. It insists on PKCE. */
export async function startProvider(returnUrl: string): Promise<TestProvider> {
  const port = await freePort();
  const issuer = new URL(`http://127.0.0.1:${port}`);
  const accounts = new Map<string, Account>();
  const provider = new Provider(issuer.href.replace(/\/$/, ""), {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [returnUrl],
      },
    ],
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
