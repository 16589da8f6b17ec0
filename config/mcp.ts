import { PlatenError } from "../core/plugin-api/index.js";
import type { Config } from "./config.js";
import type { Values } from "./variables/index.js";

/** @throws PlatenError `invalid_request` for an instance that is not among its peers. */
export function mcpOf(values: Values): Config["mcp"] {
  const { PLATEN_MCP_NODE: node, PLATEN_MCP_PEERS: peers } = values;
  if (peers.size > 0 && (node === null || !peers.has(node)))
    throw new PlatenError(
      "invalid_request",
      "The configuration cannot be used:\n  PLATEN_MCP_NODE: expected this instance's name, one of those in " +
        `PLATEN_MCP_PEERS (${[...peers.keys()].join(", ")}); it is ${node === null ? "not set" : `"${node}"`}.`,
    );
  return {
    url: values.PLATEN_MCP_URL,
    hosts: values.PLATEN_MCP_HOSTS,
    node,
    peers,
    sessionsPerKey: values.PLATEN_MCP_SESSIONS,
    idleMs: values.PLATEN_MCP_IDLE,
    keepAliveMs: values.PLATEN_MCP_KEEP_ALIVE,
    apiKey: values.PLATEN_API_KEY,
  };
}
