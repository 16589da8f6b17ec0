import type { IncomingMessage, ServerResponse } from "node:http";
import type { Log } from "../../plugin-api/index.js";
import type { SseSessions } from "../sse/sse-sessions.js";
import type { Messages } from "../sse/messages.js";
import type { DoorKeeper } from "./door-keeper.js";
import { type Endpoint, endpointOf } from "./endpoint.js";
import {
  answerJson,
  answerMethod,
  type Exchange,
  queryValue,
} from "./exchange.js";
import { foreignHost } from "./known-hosts.js";
import type { Streamable } from "./streamable.js";

interface Parts {
  /** The paths under which requests may come. */
  prefixes: readonly string[];
  hosts: readonly string[];
  keeper: DoorKeeper;
  streamable: Streamable;
  sessions: SseSessions;
  messages: Messages;
}

/** What answers the tool server's paths, for the room that listens. */
export class ToolServerDoor {
  constructor(private readonly parts: Parts) {}

  /** Null: the request is for others. */
  endpointOf(url: string): Endpoint | null {
    return endpointOf(url, this.parts.prefixes);
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
    const refusal = await foreignHost(request, this.parts.hosts);
    if (refusal !== null) return answerJson(response, 403, { error: refusal });
    const { keeper, messages } = this.parts;
    if (endpoint === "/messages") return messages.answer(exchange);
    const caller = await keeper.admit(exchange, endpoint);
    const keyed = { ...exchange, caller };
    if (endpoint === "/mcp") return this.parts.streamable.answer(keyed);
    if (request.method !== "GET") return answerMethod(exchange, "GET");
    const isByQuery = queryValue(request, "apiKey") !== null;
    return this.parts.sessions.open(keyed, isByQuery);
  }

  /** Lets what runs end, and ends what would stay open. */
  drain(): void {
    this.parts.streamable.drain();
    this.parts.sessions.drain();
  }
}
