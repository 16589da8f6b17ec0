import type { Log } from "../../plugin-api/index.js";
import type { RateLimits } from "../../accounts/limits/index.js";
import type { KeyHolder } from "../../accounts/index.js";
import type { ToolServer } from "../server/tool-server.js";
import { Messages } from "../sse/messages.js";
import { Peers } from "../sse/peers.js";
import { SseSessions } from "../sse/sse-sessions.js";
import { DoorKeeper } from "./door-keeper.js";
import { prefixOf } from "./endpoint.js";
import type { Exchange } from "./exchange.js";
import { knownHosts } from "./known-hosts.js";
import { type EndedKeys, OpenStreams } from "./open-streams.js";
import { StreamCounts } from "./stream-counts.js";
import { Streamable } from "./streamable.js";
import { ToolServerDoor } from "./tool-server-door.js";

const usualKeyPollMs = 3000;

/** All that the tool server's transports open onto. */
export interface DoorParts {
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

/** The door of the tool server; it closes itself when the service begins to end. */
export function openDoor(parts: DoorParts): ToolServerDoor {
  const { baseUrl, url, peers, maxBodyBytes: maxBytes } = parts;
  const publicUrl = url ?? baseUrl;
  const streams = new OpenStreams({
    ...parts,
    pollMs: parts.keyPollMs ?? usualKeyPollMs,
  });
  const counts = new StreamCounts(parts.sessionsPerKey);
  const keeper = new DoorKeeper(parts);
  const shared = {
    ...parts,
    streams,
    counts,
    maxBytes,
    count: (exchange: Exchange, caller: KeyHolder) =>
      keeper.count(exchange, caller),
  };
  const messagesPath = `${prefixOf(publicUrl)}/messages`;
  const sessions = new SseSessions({ ...shared, messagesPath });
  const door = new ToolServerDoor({
    prefixes: [prefixOf(publicUrl), prefixOf(baseUrl)],
    hosts: knownHosts({
      host: parts.host,
      urls: [publicUrl, baseUrl, ...peers.values()],
      hosts: parts.hosts,
    }),
    keeper,
    streamable: new Streamable(shared),
    sessions,
    messages: new Messages({
      ...shared,
      sessions,
      peers: new Peers(peers, maxBytes),
      callerOf: (exchange) => keeper.callerOf(exchange, "/messages"),
    }),
  });
  parts.draining.addEventListener("abort", () => door.drain(), { once: true });
  return door;
}
