import type { ServerResponse } from "node:http";
import type {
  NodeMcpRequestHandler,
  NodeServerResponseLike,
} from "@modelcontextprotocol/node";
import type { AuthInfo } from "@modelcontextprotocol/server";
import type { KeyHolder } from "../../accounts/index.js";
import { type Log, PlatenError } from "../../plugin-api/index.js";
import type { ToolServer } from "../server.js";
import type { Session } from "../tool.js";
import {
  sendJson,
  sendMethodNotAllowed,
  type Exchange,
  type KeyedExchange,
  readMessage,
  UnreadableMessage,
} from "./exchange.js";
import type { OpenStreams, StreamCounts } from "./open-streams.js";

interface StreamableOptions {
  server: Pick<ToolServer, "build">;
  streams: OpenStreams;
  counts: StreamCounts;
  log: Log;
  maxBytes: number;
  keepAliveMs: number;
  /** Counts a request. Rejects for one too many. */
  count(exchange: Exchange, caller: KeyHolder): Promise<void>;
}

interface ReceivedMessage {
  session: Session;
  message: unknown;
}

const maxBatchLength = 20;

/** Stands for the message on its way through the adapter. */
const noParsedBody = null;

/**
 * Streamable HTTP: each message is answered by a server of its own, and nothing is kept from one to the next, so that
 * they may go to any instance. A stream without an end (`subscriptions/listen`) counts among its key's.
 */
export class StreamableTransport {
  /** What has come, and whose it is, by what the library passes on with it. */
  readonly #arrivals = new WeakMap<AuthInfo, ReceivedMessage>();
  readonly #endless = new Set<() => void>();
  #handler: Promise<NodeMcpRequestHandler> | null = null;

  constructor(private readonly parts: StreamableOptions) {}

  /** @throws PlatenError before anything was answered. */
  async answer(exchange: KeyedExchange): Promise<void> {
    const { request, response, caller, log } = exchange;
    if (request.method !== "POST")
      return sendMethodNotAllowed(exchange, "POST");
    const message = await readMessage(request, this.parts.maxBytes);
    if (message instanceof UnreadableMessage) {
      const error = { code: -32_700, message: message.reason };
      return sendJson(response, 400, { jsonrpc: "2.0", id: null, error });
    }
    await this.#countBatch(exchange, message);
    this.#handler ??= this.#start();
    const handle = await this.#handler;
    const auth: AuthInfo = { token: "", clientId: caller.keyId, scopes: [] };
    this.#arrivals.set(auth, { session: { caller, log }, message });
    const closed = this.#open(exchange, message);
    // Keeps proxies from buffering, so that clients read progress as it is sent.
    response.setHeader("x-accel-buffering", "no");
    try {
      const { method = "POST", url = "" } = request;
      const authenticatedRequest = Object.assign(request, {
        auth,
        method,
        url,
      });
      await handle(
        authenticatedRequest,
        flushHeadersEarly(response),
        noParsedBody,
      );
    } finally {
      closed();
    }
  }

  /** Ends what would never end by itself. */
  drain(): void {
    for (const end of this.#endless) end();
  }

  /** A list of messages, which earlier clients may send, counts as so many requests. */
  async #countBatch(exchange: KeyedExchange, message: unknown): Promise<void> {
    if (!Array.isArray(message)) return;
    if (message.length > maxBatchLength)
      throw new PlatenError(
        "invalid_request",
        `A list holds at most ${maxBatchLength} messages. Send them one by one.`,
      );
    for (const _ of message.slice(1))
      await this.parts.count(exchange, exchange.caller);
  }

  /** Counts it among what is open with its key, until it is closed. */
  #open({ caller, response }: KeyedExchange, message: unknown): () => void {
    const { streams, counts } = this.parts;
    const cut = () => void response.destroy();
    const isEndless = getMethod(message) === "subscriptions/listen";
    const give = isEndless ? counts.take(caller.keyId) : () => {};
    if (isEndless) this.#endless.add(cut);
    const remove = streams.add({ keyId: caller.keyId, cut });
    return () => {
      give();
      remove();
      this.#endless.delete(cut);
    };
  }

  async #start(): Promise<NodeMcpRequestHandler> {
    const [{ createMcpHandler }, { toNodeHandler }] = await Promise.all([
      import("@modelcontextprotocol/server"),
      import("@modelcontextprotocol/node"),
    ]);
    const { server, log, maxBytes, keepAliveMs } = this.parts;
    const handler = createMcpHandler(
      ({ authInfo }) => server.build(this.#arrivalOf(authInfo).session),
      {
        responseMode: "sse",
        keepAliveMs,
        maxRequestBodySize: maxBytes,
        onerror: (error) => log.debug({ err: error }, "a message was refused"),
      },
    );
    // The message is put in behind the adapter, which would write it as JSON once more: that takes as long as reading it,
    // and fails where it is nested very deep.
    const fetch: typeof handler.fetch = (request, options) => {
      const { message: parsedBody } = this.#arrivalOf(options?.authInfo);
      return handler.fetch(request, { ...options, parsedBody });
    };
    const onerror = (error: Error) =>
      log.error({ err: error }, "a message failed");
    return toNodeHandler({ fetch }, { onerror });
  }

  #arrivalOf(auth: AuthInfo | undefined): ReceivedMessage {
    const arrival = auth && this.#arrivals.get(auth);
    if (arrival) return arrival;
    throw new PlatenError("internal", "A message lost the key it came with.");
  }
}

function getMethod(message: unknown): unknown {
  return typeof message === "object" && message !== null && "method" in message
    ? message.method
    : null;
}

/**
 * A response as the library writes to it, whose headers go out at once: else they wait for the first word that follows,
 * which with a long call is a keep-alive after many seconds, and clients take that for a server that does not answer.
 */
function flushHeadersEarly(response: ServerResponse): NodeServerResponseLike {
  return {
    writeHead(status, headers) {
      response.writeHead(status, headers);
      setImmediate(() => {
        if (!response.writableEnded) response.flushHeaders();
      });
    },
    write: (chunk) => response.write(chunk),
    end: (chunk) => response.end(chunk),
    on: (event, listener) => response.on(event, listener),
    get destroyed() {
      return response.destroyed;
    },
  };
}
