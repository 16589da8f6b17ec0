import type { AuthInfo } from "@modelcontextprotocol/server";
import type { NodeMcpRequestHandler } from "@modelcontextprotocol/node";
import type { KeyHolder } from "../../accounts/index.js";
import { type Log, PlatenError } from "../../plugin-api/index.js";
import type { ToolServer } from "../server/tool-server.js";
import type { Session } from "../session.js";
import {
  answerJson,
  answerMethod,
  type Exchange,
  type KeyedExchange,
} from "./exchange.js";
import type { OpenStreams } from "./open-streams.js";
import { promptResponse } from "./prompt-response.js";
import { notJson, readMessage } from "./read-message.js";
import type { StreamCounts } from "./stream-counts.js";

interface Parts {
  server: Pick<ToolServer, "build">;
  streams: OpenStreams;
  counts: StreamCounts;
  log: Log;
  maxBytes: number;
  keepAliveMs: number;
  /** Counts a request. Rejects for one too many. */
  count(exchange: Exchange, caller: KeyHolder): Promise<void>;
}

interface Arrival {
  session: Session;
  message: unknown;
}

const longestBatch = 20;

/** Stands for the message on its way through the adapter. */
const inArrival = null;

/**
 * Streamable HTTP: each message is answered by a server of its own, and nothing is kept from one to the next, so that
 * they may go to any instance. A stream without an end (`subscriptions/listen`) counts among its key's.
 */
export class Streamable {
  /** What has come, and whose it is, by what the library passes on with it. */
  readonly #arrivals = new WeakMap<AuthInfo, Arrival>();
  readonly #endless = new Set<() => void>();
  #handler: Promise<NodeMcpRequestHandler> | null = null;

  constructor(private readonly parts: Parts) {}

  /** @throws PlatenError before anything was answered. */
  async answer(exchange: KeyedExchange): Promise<void> {
    const { request, response, caller, log } = exchange;
    if (request.method !== "POST") return answerMethod(exchange, "POST");
    const message = await readMessage(request, this.parts.maxBytes);
    if (message === notJson) return answerNotJson(exchange);
    await this.#countBatch(exchange, message);
    this.#handler ??= this.#start();
    const handle = await this.#handler;
    const auth: AuthInfo = { token: "", clientId: caller.keyId, scopes: [] };
    this.#arrivals.set(auth, { session: { caller, log }, message });
    const closed = this.#open(exchange, message);
    // A client that is told something while it is on its way reads it as it comes, whatever stands between.
    response.setHeader("x-accel-buffering", "no");
    try {
      const { method = "POST", url = "" } = request;
      const asked = Object.assign(request, { auth, method, url });
      await handle(asked, promptResponse(response), inArrival);
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
    if (message.length > longestBatch)
      throw new PlatenError(
        "invalid_request",
        `A list holds at most ${longestBatch} messages. Send them one by one.`,
      );
    for (const _ of message.slice(1))
      await this.parts.count(exchange, exchange.caller);
  }

  /** Counts it among what is open with its key, until it is closed. */
  #open({ caller, response }: KeyedExchange, message: unknown): () => void {
    const { streams, counts } = this.parts;
    const cut = () => void response.destroy();
    const isEndless = methodOf(message) === "subscriptions/listen";
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

  #arrivalOf(auth: AuthInfo | undefined): Arrival {
    const arrival = auth && this.#arrivals.get(auth);
    if (arrival) return arrival;
    throw new PlatenError("internal", "A message lost the key it came with.");
  }
}

function methodOf(message: unknown): unknown {
  return typeof message === "object" && message !== null && "method" in message
    ? message.method
    : null;
}

function answerNotJson({ response }: KeyedExchange): void {
  const error = { code: -32_700, message: "The body is not valid JSON." };
  answerJson(response, 400, { jsonrpc: "2.0", id: null, error });
}
