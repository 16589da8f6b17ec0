import * as z from "zod";
import {
  type EsignContext,
  PlatformError,
} from "../../core/plugin-api/index.js";
import {
  createCredentialsSchema,
  createRefusal,
  type EsignCredentials,
  isPdf,
} from "../lib/esign-server.js";
import {
  encodeForm,
  parseJson,
  readReply,
  type ReplyErrors,
} from "../lib/http-api.js";

export type DocumensoContext = EsignContext<EsignCredentials>;

export const credentialsSchema = createCredentialsSchema("Documenso", {
  url: "https://app.documenso.com (when left out), or the address of your own server, without a path.",
  apiKeyTitle: "API token",
  apiKey: "Begins with api_. In Documenso: Settings of the team, API tokens.",
  webhookSecret: "The secret that you enter for the webhook in Documenso.",
});

/** The server's address, without a trailing slash. */
export function getServerUrl({
  url = "https://app.documenso.com",
}: EsignCredentials): string {
  return url.replace(/\/+$/, "");
}

/** The page where a signer signs. */
export function getSigningUrl(
  credentials: EsignCredentials,
  token: string,
): string {
  return `${getServerUrl(credentials)}/sign/${token}`;
}

/** Sends a GET request, or a POST request with `json`. @throws PlatformError. */
export async function sendRequest<T>(
  context: DocumensoContext,
  path: string,
  schema: z.ZodType<T>,
  json?: unknown,
): Promise<T> {
  const reply = await context.json(getApiUrl(context, path), {
    headers: { authorization: context.credentials.apiKey },
    ...(json !== undefined && { json }),
  });
  return readReply(reply, schema, replyErrors);
}

/** Sends a form with its files. @throws PlatformError. */
export async function sendForm<T>(
  context: DocumensoContext,
  path: string,
  schema: z.ZodType<T>,
  form: FormData,
): Promise<T> {
  const { headers, ...request } = await encodeForm(form);
  const { status, body } = await context.http(getApiUrl(context, path), {
    ...request,
    headers: {
      ...headers,
      authorization: context.credentials.apiKey,
      accept: "application/json",
    },
  });
  return readReply({ status, body: parseJson(body) }, schema, replyErrors);
}

/** @throws PlatformError `unavailable` for anything but a PDF. */
export async function fetchPdf(
  context: DocumensoContext,
  path: string,
): Promise<Uint8Array> {
  const { status, body } = await context.http(getApiUrl(context, path), {
    headers: { authorization: context.credentials.apiKey },
  });
  if (status !== 200) throw refused(status, parseJson(body));
  if (isPdf(body)) return body;
  throw new PlatformError("unavailable", replyErrors.unexpected, { status });
}

function getApiUrl({ credentials }: DocumensoContext, path: string): string {
  return `${getServerUrl(credentials)}/api/v2${path}`;
}

const errorReply = z.looseObject({ message: z.string() });

const replyErrors: ReplyErrors = {
  refused,
  unexpected:
    "The server sent an unexpected response. Check that the address is that of a Documenso server of version 2.",
};

function refused(status: number, body: unknown): PlatformError {
  return createRefusal(status, errorReply.safeParse(body).data?.message, {
    401: "The API token is not valid. Create a new one in the team's settings.",
    403: "The API token lacks a permission for this. Use the token of a member who may manage documents.",
  });
}
