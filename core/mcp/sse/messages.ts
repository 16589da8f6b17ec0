import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import type { KeyHolder } from "../../accounts/index.js";
import { PlatenError } from "../../plugin-api/index.js";
import { answerMethod, type Exchange, queryValue } from "../door/exchange.js";
import { readMessage } from "../door/read-message.js";
import type { Peers } from "./peers.js";
import type { SseSession, SseSessions } from "./sse-sessions.js";

interface Parts {
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
export class Messages {
  constructor(private readonly parts: Parts) {}

  /** @throws PlatenError before anything was answered: `not_found` for a session that is not the key's. */
  async answer(exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    if (request.method !== "POST") return answerMethod(exchange, "POST");
    const id = queryValue(request, "sessionId") ?? "";
    const owner = id.split(".", 1)[0] ?? "";
    const { node, peers, maxBytes } = this.parts;
    if (owner !== node && peers.reaches(owner, exchange))
      return peers.passOn(owner, id, exchange);
    const session = await this.#find(id, exchange);
    await this.parts.count(exchange, session.caller);
    session.receive(await readRpc(exchange, maxBytes));
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
      "There is no such session for this key. It may have ended, or an instance that is not among PLATEN_MCP_PEERS holds " +
        "it. Open a new one at /sse, or use /mcp, which needs none.",
    );
  }
}

async function readRpc(
  { request }: Exchange,
  maxBytes: number,
): Promise<JSONRPCMessage> {
  const body = await readMessage(request, maxBytes);
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
