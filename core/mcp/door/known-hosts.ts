import type { IncomingMessage } from "node:http";
import { header } from "./exchange.js";

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/** Where the service is, for whoever calls it. */
export interface Addresses {
  /** What it listens on. */
  host: string;
  /** Its own addresses, as callers write them. */
  urls: readonly string[];
  /** Further names. */
  hosts: readonly string[];
}

/**
 * The names under which the tool server may be called. A page of another site that has its own name point at this machine
 * is thereby refused (DNS rebinding). Where one loopback name is known, all are: a service in a container listens
 * everywhere, and its people call it localhost.
 */
export function knownHosts({ host, urls, hosts }: Addresses): string[] {
  const own = urls.map((url) => new URL(url).hostname);
  const isLoopback = [host, ...own].some((name) =>
    /^(?:localhost|127\..*|\[?::1\]?)$/.test(name),
  );
  return [...own, ...hosts, ...(isLoopback ? loopbackNames : [])];
}

/** Why a request is refused whose Host or Origin is none of ours; null when they are good. No Origin is fine. */
export async function foreignHost(
  request: IncomingMessage,
  known: readonly string[],
): Promise<string | null> {
  const sdk = await import("@modelcontextprotocol/server");
  const names = [...known];
  if (!sdk.validateHostHeader(header(request, "host"), names).ok)
    return refusal("Host");
  const { origin } = request.headers;
  if (!sdk.validateOriginHeader(origin, names).ok) return refusal("Origin");
  return null;
}

/** Does not repeat what was sent: a browser would show it. */
function refusal(name: "Host" | "Origin"): string {
  return (
    `The header ${name} names another host than this service's. Call it under its own address; whoever runs it can ` +
    "name further ones in PLATEN_MCP_HOSTS."
  );
}
