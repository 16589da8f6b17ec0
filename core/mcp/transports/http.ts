import type { IncomingMessage, ServerResponse } from "node:http";
import type { KeyHolder, RateLimits } from "../../accounts/index.js";
import type { Log } from "../../plugin-api/index.js";
import type { ToolServer } from "../server.js";
import {
  Authentication,
  getPathPrefix,
  listAllowedHosts,
  type Endpoint,
  findEndpoint,
  findHostProblem,
} from "./authentication.js";
import {
  type Exchange,
  sendJson,
  sendMethodNotAllowed,
  getQueryValue,
} from "./exchange.js";
import { type EndedKeys, OpenStreams, StreamCounts } from "./open-streams.js";
import { SseMessages, Peers, SseSessions } from "./sse.js";
import { StreamableTransport } from "./streamable.js";

const defaultKeyPollMs = 3000;

/** The services and settings of the HTTP transports. */
export interface CreateHttpTransportOptions {
  server: Pick<ToolServer, "build">;
  log: Log;
  /** Rejects with PlatenError `unauthorized` for a key that is not good. */
  authenticate(key: string): Promise<KeyHolder>;
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

/** Creates the MCP server's HTTP transports; they drain when the service begins to shut down. */
export function createHttpTransport(
  parts: CreateHttpTransportOptions,
): HttpTransport {
  const { baseUrl, url, peers, maxBodyBytes: maxBytes } = parts;
  const publicUrl = url ?? baseUrl;
  const streams = new OpenStreams({
    ...parts,
    pollMs: parts.keyPollMs ?? defaultKeyPollMs,
  });
  const counts = new StreamCounts(parts.sessionsPerKey);
  const keeper = new Authentication(parts);
  const shared = {
    ...parts,
    streams,
    counts,
    maxBytes,
    count: (exchange: Exchange, caller: KeyHolder) =>
      keeper.count(exchange, caller),
  };
  const messagesPath = `${getPathPrefix(publicUrl)}/messages`;
  const sessions = new SseSessions({ ...shared, messagesPath });
  const door = new HttpTransport({
    prefixes: [getPathPrefix(publicUrl), getPathPrefix(baseUrl)],
    hosts: listAllowedHosts({
      host: parts.host,
      urls: [publicUrl, baseUrl, ...peers.values()],
      hosts: parts.hosts,
    }),
    keeper,
    streamable: new StreamableTransport(shared),
    sessions,
    messages: new SseMessages({
      ...shared,
      sessions,
      peers: new Peers(peers, maxBytes),
      callerOf: (exchange) => keeper.callerOf(exchange, "/messages"),
    }),
  });
  parts.draining.addEventListener("abort", () => door.drain(), { once: true });
  return door;
}

interface HttpTransportOptions {
  /** The paths under which requests may come. */
  prefixes: readonly string[];
  hosts: readonly string[];
  keeper: Authentication;
  streamable: StreamableTransport;
  sessions: SseSessions;
  messages: SseMessages;
}

/** Answers the MCP endpoints, on behalf of the HTTP server. */
export class HttpTransport {
  constructor(private readonly parts: HttpTransportOptions) {}

  /** Null: the request is for others. */
  endpointOf(url: string): Endpoint | null {
    return findEndpoint(url, this.parts.prefixes);
  }

  /**
   * Answers a request, once it has passed: Host and Origin, key, rate.
   * @throws PlatenError before anything was answered; what it sets on the response is to go out with the error.
   */
  async answer(
    endpoint: Endpoint,
    request: IncomingMessage,
    response: ServerResponse,
    log: Log,
  ): Promise<void> {
    const exchange: Exchange = { request, response, log };
    const refusal = await findHostProblem(request, this.parts.hosts);
    if (refusal !== null) return sendJson(response, 403, { error: refusal });
    const { keeper, messages } = this.parts;
    if (endpoint === "/messages") return messages.answer(exchange);
    const caller = await keeper.admit(exchange, endpoint);
    const keyed = { ...exchange, caller };
    if (endpoint === "/mcp") return this.parts.streamable.answer(keyed);
    if (request.method !== "GET") return sendMethodNotAllowed(exchange, "GET");
    const isByQuery = getQueryValue(request, "apiKey") !== null;
    return this.parts.sessions.open(keyed, isByQuery);
  }

  /** Lets what runs end, and ends what would stay open. */
  drain(): void {
    this.parts.streamable.drain();
    this.parts.sessions.drain();
  }
}
