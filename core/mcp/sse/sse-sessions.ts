import { randomUUID } from "node:crypto";
import type { McpServer } from "@modelcontextprotocol/server";
import type { KeyHolder } from "../../accounts/index.js";
import { PlatenError } from "../../plugin-api/index.js";
import type { KeyedExchange } from "../door/exchange.js";
import type { OpenStreams } from "../door/open-streams.js";
import type { StreamCounts } from "../door/stream-counts.js";
import type { ToolServer } from "../server/tool-server.js";
import { IdleTimer } from "./idle-timer.js";
import { SseTransport } from "./sse-transport.js";

/** What a session's client may have under way. */
const mostCalls = 32;
/** Bytes of answers that wait to be taken; past them, no call is begun. */
const mostBacklog = 8 * 1024 * 1024;

export interface SseSettings {
  /** This instance's name: the first part of its sessions' ids. */
  node: string;
  /** Where messages go, as a path. */
  messagesPath: string;
  keepAliveMs: number;
  idleMs: number;
}

interface Parts extends SseSettings {
  server: Pick<ToolServer, "build">;
  streams: OpenStreams;
  counts: StreamCounts;
}

/** An open stream, whose id is as good as its key for sending messages to it. */
export interface SseSession {
  caller: KeyHolder;
  /** Whether its client cannot send headers: then the id alone has to do. */
  isByQuery: boolean;
  /** @throws PlatenError `busy` when too many calls are under way. */
  receive: SseTransport["receive"];
}

/** The sessions of the older transport; each is held by the instance that opened it. */
export class SseSessions {
  readonly #sessions = new Map<string, SseSession & { drain(): void }>();

  constructor(private readonly parts: Parts) {}

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
        if (transport.pending.count >= mostCalls) throw tooManyCalls();
        if (transport.backlog > mostBacklog) throw notTaken();
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

function tooManyCalls(): PlatenError {
  return new PlatenError(
    "busy",
    `${mostCalls} calls of this session are under way, which is the most. Wait until one is answered.`,
  );
}

function notTaken(): PlatenError {
  return new PlatenError(
    "busy",
    "The answers of this session are not being read. Read its stream, then call again.",
  );
}
