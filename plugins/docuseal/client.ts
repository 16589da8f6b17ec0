import * as z from "zod";
import {
  type EsignContext,
  PlatformError,
  type PlatformJsonRequest,
} from "../../core/plugin-api/index.js";
import {
  createCredentialsSchema,
  createRefusal,
  type EsignCredentials,
  isPdf,
} from "../lib/esign-server.js";
import { readReply } from "../lib/http-api.js";

export type DocusealContext = EsignContext<EsignCredentials>;

export const credentialsSchema = createCredentialsSchema("DocuSeal", {
  url: "https://api.docuseal.com (when left out), https://api.docuseal.eu, or the address of your own server, such as https://sign.example.com.",
  apiKeyTitle: "API key",
  apiKey: "In DocuSeal: Console, API; on your own server: Settings, API.",
  webhookSecret:
    "Begins with whsec_. In DocuSeal: Webhooks, the webhook's secret.",
});

/** The base URL of the API, without a trailing slash. A self-hosted server serves it below `/api`. */
export function getApiUrl({
  url = "https://api.docuseal.com",
}: EsignCredentials): string {
  const address = url.replace(/\/+$/, "");
  const { hostname, pathname } = new URL(address);
  const isComplete = hostname.startsWith("api.") || pathname !== "/";
  return isComplete ? address : `${address}/api`;
}

export function isCloud(credentials: EsignCredentials): boolean {
  const { hostname } = new URL(getApiUrl(credentials));
  return /^api\.docuseal\.(com|eu)$/.test(hostname);
}

/** The page where a signer signs. */
export function getSigningUrl(
  credentials: EsignCredentials,
  slug: string,
): string {
  const { protocol, host } = new URL(getApiUrl(credentials));
  return `${protocol}//${host.replace(/^api\./, "")}/s/${slug}`;
}

/** Sends a request to the API. @throws PlatformError. */
export async function sendRequest<T>(
  context: DocusealContext,
  path: string,
  schema: z.ZodType<T>,
  request: PlatformJsonRequest = {},
): Promise<T> {
  const { credentials } = context;
  const reply = await context.json(getApiUrl(credentials) + path, {
    ...request,
    headers: { "x-auth-token": credentials.apiKey },
  });
  return readReply(reply, schema, {
    refused,
    unexpected:
      "The server sent an unexpected response. Check that the address is that of a DocuSeal API.",
  });
}

/** How the free edition answers calls that need the Pro Edition. */
const proEditionReply = z.object({
  status: z.unknown(),
  message: z.string().regex(/\bPro\b/i),
});
const errorReply = z.object({ error: z.string() });

function refused(status: number, body: unknown): PlatformError {
  const edition = proEditionReply.safeParse(body).data;
  if (status === 404 && edition)
    return new PlatformError(
      "unsupported",
      `This DocuSeal is the free edition, whose API does not accept PDFs. Use the Pro Edition or DocuSeal's cloud. It says: ${edition.message}`,
      { status },
    );
  return createRefusal(status, errorReply.safeParse(body).data?.error, {
    401: "The API key is not valid. Copy it again from DocuSeal's API settings.",
    403: "The API key lacks a permission for this. Use the key of an administrator.",
  });
}

/**
 * Fetches a signed file without the API key, because DocuSeal may redirect to another provider's storage.
 * @throws PlatformError `unavailable` for anything but a PDF.
 */
export async function fetchPdf(
  context: DocusealContext,
  url: string,
  maxRedirects = 3,
): Promise<Uint8Array> {
  const { status, headers, body } = await context.http(url);
  const { location } = headers;
  const isRedirect = status >= 300 && status <= 399 && location !== undefined;
  if (isRedirect && maxRedirects > 0 && URL.canParse(location, url))
    return fetchPdf(context, new URL(location, url).href, maxRedirects - 1);
  if (status !== 200)
    throw new PlatformError(
      "unavailable",
      `The server answered with status ${status} for a signed file. Try again.`,
    );
  if (isPdf(body)) return body;
  throw new PlatformError(
    "unavailable",
    "The server sent something other than a PDF for a signed file. Try again.",
  );
}
