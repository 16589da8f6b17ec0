import { Readable } from "node:stream";
import {
  type PlatformContext,
  PlatformError,
  type PlatformReply,
} from "../../core/plugin-api/index.js";
import type { GoogleCredentials } from "./credentials.js";

/** The `fetch` of Google's clients: everything they send goes through the host. */
export class HostFetch {
  /** Of the last request, because the clients keep too little of it. */
  reply: PlatformReply | null = null;
  fault: unknown = null;
  /** Whether the last request asked for an access token. */
  wasForToken = false;

  constructor(private readonly context: PlatformContext<GoogleCredentials>) {}

  readonly send: typeof fetch = async (input, init) => {
    const asked = new URL(input instanceof Request ? input.url : input);
    this.wasForToken = asked.pathname.endsWith("/token");
    this.reply = null;
    this.fault = null;
    try {
      this.reply = await this.ask(asked, init);
      return asResponse(this.reply);
    } catch (fault) {
      this.fault = fault;
      throw fault;
    }
  };

  private async ask(asked: URL, init: RequestInit = {}) {
    const headers = new Headers(init.headers);
    headers.delete("accept-encoding");
    const body = await bodyOf(init.body);
    const reply = await this.context.http(this.routed(asked), {
      method: init.method ?? "GET",
      headers: Object.fromEntries(headers),
      ...(body !== null && { body }),
    });
    refuseOtherThanJson(reply, asked);
    return reply;
  }

  /** One place for all of Google's hosts: their clients' own settings for this leave out uploads and tokens. */
  private routed(asked: URL): string {
    const { endpointUrl, contentUrl = endpointUrl } = this.context.credentials;
    const isGoogle = asked.host.endsWith(".googleapis.com");
    const isUpload = asked.pathname.startsWith("/upload/");
    const other = isUpload ? contentUrl : endpointUrl;
    if (!isGoogle || other === undefined) return asked.href;
    return other.replace(/\/+$/, "") + asked.pathname + asked.search;
  }
}

type Body = RequestInit["body"] | Readable;

async function bodyOf(body: Body): Promise<string | Uint8Array | null> {
  if (body === undefined || body === null) return null;
  if (typeof body === "string") return body;
  if (body instanceof URLSearchParams) return body.toString();
  if (body instanceof Readable) return gathered(body);
  return new Uint8Array(await new Response(body).arrayBuffer());
}

async function gathered(stream: Readable): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream as AsyncIterable<string | Uint8Array>)
    chunks.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  return Buffer.concat(chunks);
}

/** The clients take a login page for an answer. */
function refuseOtherThanJson(
  { status, headers, body }: PlatformReply,
  { host }: URL,
): void {
  const type = headers["content-type"] ?? "";
  const isFine = status > 299 || body.byteLength === 0 || type.includes("json");
  if (isFine) return;
  throw new PlatformError(
    "unavailable",
    `${host} answered ${status} with something that is no JSON, as login pages and proxies do.`,
    { status },
  );
}

function asResponse({ status, headers, body }: PlatformReply): Response {
  const isEmpty = body.byteLength === 0 || status === 204;
  return new Response(isEmpty ? null : Buffer.from(body), { status, headers });
}
