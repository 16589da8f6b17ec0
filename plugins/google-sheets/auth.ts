import { createHash } from "node:crypto";
import { auth as google } from "@googleapis/sheets";
import type { LRUCache } from "lru-cache";
import { z } from "zod";
import { PlatformError } from "../../core/plugin-api/index.js";
import type { GoogleCredentials } from "./credentials.js";

export const scopes = [
  "https://www.googleapis.com/auth/spreadsheets",
  "https://www.googleapis.com/auth/drive",
];

/** Access tokens, which live for an hour, by the credentials that they were given for. */
export type AccessTokens = LRUCache<
  string,
  { access_token: string; expiry_date: number }
>;

const keyFile = z.object({ client_email: z.string(), private_key: z.string() });

type GoogleUser = InstanceType<typeof google.OAuth2>;

export interface GoogleAuth {
  client: GoogleUser;
  /** To whom a spreadsheet must be shared; null: to the user who gave the consent. */
  serviceAccount: string | null;
}

/** @throws PlatformError `bad_config` when the key is no key of a service account. */
export function authOf(
  credentials: GoogleCredentials,
  tokens: AccessTokens,
  send: typeof fetch,
): GoogleAuth {
  const transporterOptions = { fetchImplementation: send };
  const auth = clientOf(credentials, transporterOptions);
  const { client } = auth;
  const key = digest(credentials);
  client.setCredentials({ ...client.credentials, ...tokens.get(key) });
  client.on("tokens", ({ access_token, expiry_date }) => {
    if (typeof access_token === "string" && typeof expiry_date === "number")
      tokens.set(key, { access_token, expiry_date });
  });
  return auth;
}

function clientOf(
  {
    serviceAccount,
    subject,
    clientId,
    clientSecret,
    refreshToken,
  }: GoogleCredentials,
  transporterOptions: { fetchImplementation: typeof fetch },
): GoogleAuth {
  if (serviceAccount === undefined) {
    const client = new google.OAuth2({
      ...(clientId !== undefined && { clientId }),
      ...(clientSecret !== undefined && { clientSecret }),
      transporterOptions,
    });
    if (refreshToken !== undefined)
      client.setCredentials({ refresh_token: refreshToken });
    return { client, serviceAccount: null };
  }
  const { client_email: email, private_key: key } = readKey(serviceAccount);
  const acting = subject === undefined ? {} : { subject };
  const options = { email, key, scopes, transporterOptions, ...acting };
  return { client: new google.JWT(options), serviceAccount: email };
}

function readKey(text: string): z.infer<typeof keyFile> {
  try {
    return keyFile.parse(JSON.parse(text));
  } catch {
    throw new PlatformError(
      "bad_config",
      "the key of the service account cannot be read. Save the whole text of its JSON file, which has client_email and private_key.",
    );
  }
}

function digest(credentials: GoogleCredentials): string {
  const text = JSON.stringify(credentials);
  return createHash("sha256").update(text).digest("base64url");
}
