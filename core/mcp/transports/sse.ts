import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type {
  McpServer,
  JSONRPCMessage,
  Transport,
  RequestId,
} from "@modelcontextprotocol/server";
import type { KeyHolder } from "../../accounts/index.js";
import { clock, type Timer } from "../../lib/clock.js";
import { PlatenError } from "../../plugin-api/index.js";
import type { ToolServer } from "../server.js";
import {
  type KeyedExchange,
  sendMethodNotAllowed,
  type Exchange,
  getQueryValue,
  readMessage,
  getHeader,
  readBody,
  UnreadableMessage,
} from "./exchange.js";
import type { OpenStreams, StreamCounts } from "./open-streams.js";

/** What a session's client may have under way. */
const maxCalls = 32;
/** Bytes of answers that wait to be taken; past them, no call is begun. */
const maxBacklogBytes = 8 * 1024 * 1024;

interface SseSessionsOptions {
  server: Pick<ToolServer, "build">;
  streams: OpenStreams;
  counts: StreamCounts;
  /** This instance's name: the first part of its sessions' ids. */
  node: string;
  /** Where messages go, as a path. */
  messagesPath: string;
  keepAliveMs: number;
  idleMs: number;
}

/** An open stream, whose id is as good as its key for sending messages to it. */
interface SseSession {
  caller: KeyHolder;
  /** Whether its client cannot send headers: then the id alone has to do. */
  isByQuery: boolean;
  /** @throws PlatenError `busy` when too many calls are under way. */
  receive: SseTransport["receive"];
}

/** The sessions of the older transport; each is held by the instance that opened it. */
export class SseSessions {
  readonly #sessions = new Map<string, SseSession & { drain(): void }>();

  constructor(private readonly parts: SseSessionsOptions) {}

  find(id: string): SseSession | undefined {
    return this.#sessions.get(id);
  }

  /** Answers with a stream that stays open. @throws PlatenError `busy` when its key has too many. */
  async open(exchange: KeyedExchange, isByQuery: boolean): Promise<void> {
    const { response, caller, log } = exchange;
    const { server, counts, node, messagesPath, keepAliveMs } = this.parts;
    const give = counts.take(caller.keyId);
    response.once("close", give);
    const id = `${node}.${randomUUID()}`;
    const endpoint = `${messagesPath}?sessionId=${id}`;
    const transport = new SseTransport(response, { endpoint, keepAliveMs });
    const built = await server.build({ caller, log });
    if (response.destroyed) return;
    this.#keep(id, exchange, { transport, built, isByQuery });
    await built.connect(transport);
  }

  /** Ends each session as soon as its calls are answered. */
  drain(): void {
    for (const session of this.#sessions.values()) session.drain();
  }

  #keep(
    id: string,
    { response, caller }: KeyedExchange,
    opened: { transport: SseTransport; built: McpServer; isByQuery: boolean },
  ): void {
    const { transport, built, isByQuery } = opened;
    const { keyId } = caller;
    // First nobody finds it: its stream closes only when the client has read it, and a message until then had no answer.
    const close = () => {
      this.#sessions.delete(id);
      void built.close();
    };
    const end = () => transport.pending.whenNone(close);
    const idle = new IdleTimer(this.parts.idleMs, end);
    const remove = this.parts.streams.add({
      keyId,
      cut: () => response.destroy(),
    });
    this.#sessions.set(id, {
      caller,
      isByQuery,
      receive: (message) => {
        if (transport.pending.count >= maxCalls)
          throw new PlatenError(
            "busy",
            `${maxCalls} calls of this session are running, which is the maximum. Wait until one is answered.`,
          );
        if (transport.backlog > maxBacklogBytes)
          throw new PlatenError(
            "busy",
            "The answers of this session are not being read. Read its stream, then call again.",
          );
        idle.restart();
        transport.receive(message);
      },
      drain: end,
    });
    response.once("close", () => {
      this.#sessions.delete(id);
      idle.stop();
      remove();
    });
  }
}

interface SseTransportSettings {
  /** Where the client is to send its messages. */
  endpoint: string;
  keepAliveMs: number;
}

/**
 * The older transport's stream, written by us: the library's own is given up, sends no keep-alives, reads bodies with a
 * limit of its own and comes with a web framework. Answers go out as events; messages come in by `receive`.
 */
class SseTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly pending = new PendingCalls();
  #keepAlive: Timer | null = null;

  constructor(
    private readonly response: ServerResponse,
    private readonly settings: SseTransportSettings,
  ) {}

  /** Bytes that its client has not taken yet. */
  get backlog(): number {
    return this.response.writableLength;
  }

  async start(): Promise<void> {
    const { response } = this;
    response.once("close", () => this.#closed());
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    });
    this.#write(`event: endpoint\ndata: ${this.settings.endpoint}\n\n`);
    this.#keepAlive = clock
      .every(this.settings.keepAliveMs, () => this.#write(": keep-alive\n\n"))
      .unref();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    this.pending.sent(message);
  }

  receive(message: JSONRPCMessage): void {
    this.pending.received(message);
    this.onmessage?.(message);
  }

  async close(): Promise<void> {
    this.response.end();
    this.#closed();
  }

  #write(text: string): void {
    if (!this.response.writableEnded && !this.response.destroyed)
      this.response.write(text);
  }

  /** By either side, and once. */
  #closed(): void {
    if (this.#keepAlive === null) return;
    this.#keepAlive.cancel();
    this.#keepAlive = null;
    this.onclose?.();
  }
}

interface SseMessagesOptions {
  sessions: SseSessions;
  peers: Peers;
  /** This instance's name. */
  node: string;
  maxBytes: number;
  /** Whose key the request shows; null for none. Rejects for one that is not good. */
  callerOf(exchange: Exchange): Promise<KeyHolder | null>;
  /** Counts the request. Rejects for one too many. */
  count(exchange: Exchange, caller: KeyHolder): Promise<void>;
}

/** The messages of the older transport: each names the session to which its answer goes. */
export class SseMessages {
  constructor(private readonly parts: SseMessagesOptions) {}

  /** @throws PlatenError before anything was answered: `not_found` for a session that is not the key's. */
  async answer(exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    if (request.method !== "POST")
      return sendMethodNotAllowed(exchange, "POST");
    const id = getQueryValue(request, "sessionId") ?? "";
    const owner = id.split(".", 1)[0] ?? "";
    const { node, peers, maxBytes } = this.parts;
    if (owner !== node && peers.reaches(owner, exchange))
      return peers.passOn(owner, id, exchange);
    const session = await this.#find(id, exchange);
    await this.parts.count(exchange, session.caller);
    session.receive(await readRpcMessage(exchange, maxBytes));
    response.writeHead(202).end("Accepted");
  }

  /** Another's session is answered as one that is not there. */
  async #find(id: string, exchange: Exchange): Promise<SseSession> {
    const session = this.parts.sessions.find(id);
    const caller = await this.parts.callerOf(exchange);
    const isItsOwn = caller
      ? caller.keyId === session?.caller.keyId
      : session?.isByQuery;
    if (session && isItsOwn) return session;
    throw new PlatenError(
      "not_found",
      "This key has no such session. It may have ended, or belong to an instance that is not listed in PLATEN_MCP_PEERS. " +
        "Open a new session at /sse, or use /mcp, which needs none.",
    );
  }
}

async function readRpcMessage(
  { request }: Exchange,
  maxBytes: number,
): Promise<JSONRPCMessage> {
  const body = await readMessage(request, maxBytes);
  if (body instanceof UnreadableMessage)
    throw new PlatenError("invalid_request", body.reason);
  const sdk = await import("@modelcontextprotocol/server");
  try {
    return sdk.parseJSONRPCMessage(body);
  } catch (cause) {
    throw new PlatenError(
      "invalid_request",
      "The body must be one JSON-RPC 2.0 message, in JSON.",
      { cause },
    );
  }
}

const timeoutMs = 15_000;
/** Marks what an instance has passed on, so that it goes no further. */
const forwardedHeader = "x-platen-passed-on";
const forwardedHeaders = [
  "authorization",
  "content-type",
  "x-api-key",
  "x-request-id",
] as const;

/** The other instances, to which messages for their sessions are passed on. */
export class Peers {
  constructor(
    private readonly urls: ReadonlyMap<string, string>,
    private readonly maxBytes: number,
  ) {}

  /** Whether the messages for this instance's sessions can be passed on; not twice. */
  reaches(node: string, { request }: Exchange): boolean {
    return this.urls.has(node) && getHeader(request, forwardedHeader) === "";
  }

  /** @throws PlatenError `unavailable` when the instance does not answer. */
  async passOn(node: string, id: string, exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    const body = await readBody(request, this.maxBytes);
    const headers = new Headers({ [forwardedHeader]: "1" });
    for (const name of forwardedHeaders)
      if (getHeader(request, name) !== "")
        headers.set(name, getHeader(request, name));
    const url = `${this.urls.get(node)}/messages?sessionId=${encodeURIComponent(id)}`;
    const answer = await fetch(url, {
      method: "POST",
      headers,
      body: new Uint8Array(body),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: "error",
    }).catch((error: unknown) => unreachable(error));
    const type = answer.headers.get("content-type") ?? "text/plain";
    response
      .writeHead(answer.status, { "content-type": type })
      .end(await answer.text());
  }
}

function unreachable(cause: unknown): never {
  throw new PlatenError(
    "unavailable",
    "The instance that holds this session does not answer. Open a new session.",
    { cause, retryAfterSeconds: 5 },
  );
}

/** The requests of a client that are not answered yet. */
class PendingCalls {
  readonly #ids = new Set<RequestId>();
  #waiting: (() => void)[] = [];

  get count(): number {
    return this.#ids.size;
  }

  received(message: JSONRPCMessage): void {
    if ("method" in message && "id" in message) this.#ids.add(message.id);
    else if (isCancellation(message)) this.#end(message.params.requestId);
  }

  sent(message: JSONRPCMessage): void {
    if (!("method" in message) && message.id !== undefined)
      this.#end(message.id);
  }

  /** Calls back once there are none, at once if there are none now. */
  whenNone(tell: () => void): void {
    this.#waiting.push(tell);
    this.#tell();
  }

  #end(id: RequestId): void {
    this.#ids.delete(id);
    this.#tell();
  }

  #tell(): void {
    if (this.#ids.size > 0) return;
    for (const tell of this.#waiting.splice(0)) tell();
  }
}

/** What is cancelled is not answered. */
function isCancellation(
  message: JSONRPCMessage,
): message is JSONRPCMessage & { params: { requestId: RequestId } } {
  if (!("method" in message)) return false;
  const id = message.params?.["requestId"];
  return (
    message.method === "notifications/cancelled" &&
    (typeof id === "string" || typeof id === "number")
  );
}

/** The longest that a timer can wait. */
const maxTimeoutMs = 2 ** 31 - 1;

/** Calls back after so long without a `restart`. Keeps no process alive. */
class IdleTimer {
  #timer: Timer | null = null;

  constructor(
    private readonly milliseconds: number,
    private readonly tell: () => void,
  ) {
    this.restart();
  }

  restart(): void {
    this.stop();
    const milliseconds = Math.min(this.milliseconds, maxTimeoutMs);
    this.#timer = clock.limit(milliseconds, this.tell).unref();
  }

  stop(): void {
    this.#timer?.cancel();
  }
}
