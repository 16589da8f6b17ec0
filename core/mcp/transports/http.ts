import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type KeyHolder,
  type RateLimits,
  assertWithinRateLimit,
} from "../../accounts/index.js";
import {
  isAccessToken,
  OAuthError,
  TOOL_SCOPES,
} from "../../accounts/oauth/index.js";
import { clock } from "../../lib/clock.js";
import { getBasePath } from "../../lib/process-values.js";
import { type Log, PlatenError } from "../../plugin-api/index.js";
import type { ToolServer } from "../server.js";
import {
  type Exchange,
  sendJson,
  sendMethodNotAllowed,
  getQueryValue,
  getHeader,
} from "./exchange.js";
import { type EndedKeys, OpenStreams, StreamCounts } from "./open-streams.js";
import { SseMessages, Peers, SseSessions } from "./sse.js";
import { StreamableTransport } from "./streamable.js";

const defaultKeyPollMs = 3000;

export interface HttpTransportOptions {
  server: Pick<ToolServer, "build">;
  log: Log;
  /** Rejects with PlatenError `unauthorized` for a key that is not good. */
  authenticate(key: string, address: string): Promise<KeyHolder>;
  /** Rejects with OAuthError `invalid_token` for an access token that is not good. */
  authenticateToken(token: string): Promise<KeyHolder>;
  /** The URL of `/mcp`, for which access tokens are issued. */
  resource: string;
  endedKeys: EndedKeys;
  rateLimits: Pick<RateLimits, "count">;
  /** What the service listens on. */
  host: string;
  /** Where callers reach the service. Without a slash at the end. */
  baseUrl: string;
  /** Where assistants reach it; null: there too. */
  url: string | null;
  /** Further names under which it may be called. */
  hosts: readonly string[];
  /** This instance's name among `peers`. */
  node: string;
  peers: ReadonlyMap<string, string>;
  maxBodyBytes: number;
  /** Streams that a key may hold open here. */
  sessionsPerKey: number;
  idleMs: number;
  keepAliveMs: number;
  keyPollMs?: number;
  /** Fires when the service begins to end. */
  draining: AbortSignal;
}

/** Drains when the service begins to shut down. */
export class HttpTransport {
  /**
   * The endpoint of each path, without a slash at the end. A proxy in front may take the prefix of a public URL off, or
   * leave it on.
   */
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  readonly #hosts: readonly string[];
  readonly #authentication: Authentication;
  readonly #streamable: StreamableTransport;
  readonly #sessions: SseSessions;
  readonly #messages: SseMessages;

  constructor(parts: HttpTransportOptions) {
    const { baseUrl, url, peers, maxBodyBytes: maxBytes } = parts;
    const publicUrl = url ?? baseUrl;
    const prefixes = ["", getBasePath(publicUrl), getBasePath(baseUrl)];
    this.endpoints = new Map(
      prefixes.flatMap((prefix) =>
        endpoints.map((endpoint) => [prefix + endpoint, endpoint] as const),
      ),
    );
    this.#hosts = listAllowedHosts({
      host: parts.host,
      urls: [publicUrl, baseUrl, ...peers.values()],
      hosts: parts.hosts,
    });
    const authentication = new Authentication(parts);
    this.#authentication = authentication;
    const shared = {
      ...parts,
      streams: new OpenStreams({
        ...parts,
        pollMs: parts.keyPollMs ?? defaultKeyPollMs,
      }),
      counts: new StreamCounts(parts.sessionsPerKey),
      maxBytes,
      count: (exchange: Exchange, caller: KeyHolder) =>
        authentication.count(exchange, caller),
    };
    this.#streamable = new StreamableTransport(shared);
    this.#sessions = new SseSessions({
      ...shared,
      messagesPath: `${getBasePath(publicUrl)}/messages`,
    });
    this.#messages = new SseMessages({
      ...shared,
      sessions: this.#sessions,
      peers: new Peers(peers, maxBytes),
      callerOf: (exchange) => authentication.callerOf(exchange, "/messages"),
    });
    parts.draining.addEventListener("abort", () => this.#drain(), {
      once: true,
    });
  }

  /**
   * Answers a request, once it has passed: Host and Origin, key, rate.
   * @throws PlatenError before anything was answered; what it sets on the response is to go out with the error.
   */
  async answer(
    endpoint: Endpoint,
    request: IncomingMessage,
    response: ServerResponse,
    context: Pick<Exchange, "log" | "address" | "onCaller">,
  ): Promise<void> {
    const exchange: Exchange = { request, response, ...context };
    const refusal = await findHostProblem(request, this.#hosts);
    if (refusal !== null) return sendJson(response, 403, { error: refusal });
    if (endpoint === "/messages") return this.#messages.answer(exchange);
    const caller = await this.#authentication.admit(exchange, endpoint);
    const keyed = { ...exchange, caller };
    if (endpoint === "/mcp") return this.#streamable.answer(keyed);
    if (request.method !== "GET") return sendMethodNotAllowed(exchange, "GET");
    const isByQuery = getQueryValue(request, "apiKey") !== null;
    return this.#sessions.open(keyed, isByQuery);
  }

  /** Lets what runs end, and ends what would stay open. */
  #drain(): void {
    this.#streamable.drain();
    this.#sessions.drain();
  }
}

/** Authenticates requests by key and applies the rate limit. */
class Authentication {
  constructor(
    private readonly parts: Pick<
      HttpTransportOptions,
      "authenticate" | "authenticateToken" | "rateLimits" | "resource"
    >,
  ) {}

  /** @throws PlatenError `unauthorized` or `busy`. */
  async admit(exchange: Exchange, endpoint: Endpoint): Promise<KeyHolder> {
    const caller = await this.callerOf(exchange, endpoint);
    if (caller === null) {
      const orQuery = endpoint === "/sse" ? ", or as ?apiKey=<key>" : "";
      throw this.#challenge(
        exchange,
        endpoint,
        new PlatenError(
          "unauthorized",
          `No API key was sent. ${headerHint}${orQuery}.`,
        ),
      );
    }
    await this.count(exchange, caller);
    return caller;
  }

  /** Whose key a request shows; null for none. @throws PlatenError `unauthorized` for one that is not good. */
  async callerOf(
    exchange: Exchange,
    endpoint: Endpoint,
  ): Promise<KeyHolder | null> {
    try {
      const key = findKey(exchange.request, endpoint);
      if (key === null) return null;
      const caller =
        endpoint === "/mcp" && isAccessToken(key)
          ? await this.parts.authenticateToken(key)
          : await this.parts.authenticate(key, exchange.address);
      exchange.onCaller(caller);
      return caller;
    } catch (error) {
      throw error instanceof PlatenError
        ? this.#challenge(exchange, endpoint, error)
        : error;
    }
  }

  /**
   * Sets the header that every 401 must have. At `/mcp` it says where clients find out how to get an access token
   * (RFC 9728); the older transport takes keys alone.
   */
  #challenge(
    { response }: Exchange,
    endpoint: Endpoint,
    error: PlatenError,
  ): PlatenError {
    if (error.code !== "unauthorized") return error;
    const parameters = ['realm="platen"'];
    if (endpoint === "/mcp") {
      const metadata = this.parts.resource.replace(
        /\/mcp$/,
        "/.well-known/oauth-protected-resource/mcp",
      );
      parameters.push(
        `resource_metadata="${metadata}"`,
        `scope="${TOOL_SCOPES.join(" ")}"`,
      );
    }
    if (error instanceof OAuthError)
      parameters.push(
        `error="${error.error}"`,
        `error_description="${error.message}"`,
      );
    response.setHeader("www-authenticate", `Bearer ${parameters.join(", ")}`);
    return error;
  }

  /** Counts a request toward the rate limit and sets the headers. @throws PlatenError `busy`. */
  async count({ response }: Exchange, caller: KeyHolder): Promise<void> {
    const standing = await this.parts.rateLimits.count(caller, clock.date());
    if (standing === null) return;
    const { limit, remaining, resetSeconds } = standing;
    const left = Math.max(0, remaining);
    response.setHeader("ratelimit-policy", `"minute";q=${limit};w=60`);
    response.setHeader("ratelimit", `"minute";r=${left};t=${resetSeconds}`);
    assertWithinRateLimit(standing);
  }
}

const headerHint =
  "Send it in the header `Authorization: Bearer <key>`, or in `x-api-key`";

/**
 * The key that a request shows: in a header, or, for clients that cannot send headers, as `apiKey` in the query of `/sse`.
 * Null for none.
 * @throws PlatenError `unauthorized` where the query is no place for a key: addresses are logged and shared.
 */
function findKey(request: IncomingMessage, endpoint: Endpoint): string | null {
  const inQuery = getQueryValue(request, "apiKey");
  if (inQuery !== null && endpoint !== "/sse")
    throw new PlatenError(
      "unauthorized",
      `A key in the address is taken at /sse alone. ${headerHint}.`,
    );
  const apiKey = getHeader(request, "x-api-key").trim();
  if (apiKey !== "") return apiKey;
  const authorization = getHeader(request, "authorization").trim();
  if (authorization === "") return inQuery?.trim() || null;
  const key = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (key !== undefined) return key;
  throw new PlatenError(
    "unauthorized",
    "The header Authorization must hold `Bearer <key>`, where the key is one of Platen's.",
  );
}

/** What the tool server answers: Streamable HTTP, and the older transport's stream and messages. */
type Endpoint = "/mcp" | "/sse" | "/messages";

const endpoints: readonly Endpoint[] = ["/mcp", "/sse", "/messages"];

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

interface Addresses {
  /** What it listens on. */
  host: string;
  /** Its own addresses, as callers write them. */
  urls: readonly string[];
  /** Further names. */
  hosts: readonly string[];
}

/**
 * The names under which the tool server may be called. A page of another site that has its own name point at this machine
 * is thereby refused (DNS rebinding). Where one loopback name is known, all are: a service in a container listens
 * everywhere, and its people call it localhost.
 */
function listAllowedHosts({ host, urls, hosts }: Addresses): string[] {
  const hostnames = urls.map((url) => new URL(url).hostname);
  const isLoopback = [host, ...hostnames].some((name) =>
    /^(?:localhost|127\..*|\[?::1\]?)$/.test(name),
  );
  return [...hostnames, ...hosts, ...(isLoopback ? loopbackNames : [])];
}

/** Why a request is refused whose Host or Origin is none of ours; null when they are good. No Origin is fine. */
async function findHostProblem(
  request: IncomingMessage,
  allowedHosts: readonly string[],
): Promise<string | null> {
  const sdk = await import("@modelcontextprotocol/server");
  const names = [...allowedHosts];
  if (!sdk.validateHostHeader(getHeader(request, "host"), names).ok)
    return hostProblem("Host");
  const { origin } = request.headers;
  if (!sdk.validateOriginHeader(origin, names).ok) return hostProblem("Origin");
  return null;
}

/** Does not repeat what was sent: a browser would show it. */
function hostProblem(name: "Host" | "Origin"): string {
  return (
    `The ${name} header names another host. Call the service under its own address; its operator can ` +
    "allow further hosts in PLATEN_MCP_HOSTS."
  );
}
