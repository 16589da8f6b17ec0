import type { AuthInfo } from "@modelcontextprotocol/server";
import type { NodeMcpRequestHandler } from "@modelcontextprotocol/node";
import { type Log, PlatenError } from "../../contract/index.js";
import type { ToolServer } from "../server/tool-server.js";
import type { Session } from "../session.js";
import { answerJson, answerMethod, type KeyedExchange } from "./exchange.js";
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
}

/**
 * Streamable HTTP: each message is answered by a server of its own, and nothing is kept from one to the next, so that
 * they may go to any instance. A stream without an end (`subscriptions/listen`) counts among its key's.
 */
export class Streamable {
  /** Whose message it is, by what the library passes on with it. */
  readonly #sessions = new WeakMap<AuthInfo, Session>();
  readonly #endless = new Set<() => void>();
  #handler: Promise<NodeMcpRequestHandler> | null = null;

  constructor(private readonly parts: Parts) {}

  /** @throws PlatenError before anything was answered. */
  async answer(exchange: KeyedExchange): Promise<void> {
    const { request, response, caller, log } = exchange;
    if (request.method !== "POST") return answerMethod(exchange, "POST");
    const message = await readMessage(request, this.parts.maxBytes);
    if (message === notJson) return answerNotJson(exchange);
    this.#handler ??= this.#start();
    const handle = await this.#handler;
    const auth: AuthInfo = { token: "", clientId: caller.keyId, scopes: [] };
    this.#sessions.set(auth, { caller, log });
    const closed = this.#open(exchange, message);
    // A client that is told something while it is on its way reads it as it comes, whatever stands between.
    response.setHeader("x-accel-buffering", "no");
    try {
      const { method = "POST", url = "" } = request;
      const asked = Object.assign(request, { auth, method, url });
      await handle(asked, promptResponse(response), message);
    } finally {
      closed();
    }
  }

  /** Ends what would never end by itself. */
  drain(): void {
    for (const end of this.#endless) end();
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
      ({ authInfo }) => server.build(this.#sessionOf(authInfo)),
      {
        responseMode: "sse",
        keepAliveMs,
        maxRequestBodySize: maxBytes,
        onerror: (error) => log.debug({ err: error }, "a message was refused"),
      },
    );
    return toNodeHandler(handler, {
      onerror: (error) => log.error({ err: error }, "a message failed"),
    });
  }

  #sessionOf(auth: AuthInfo | undefined): Session {
    const session = auth && this.#sessions.get(auth);
    if (session) return session;
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
