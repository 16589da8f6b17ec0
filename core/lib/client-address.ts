import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";
import type { Networks } from "./networks.js";

/**
 * The IP address that a request comes from. A proxy names its client in `X-Forwarded-For`, which is believed of trusted
 * proxies only: anybody else can write what they want there. Empty when the connection is closed already.
 */
export function getClientAddress(
  { socket, headers }: Pick<IncomingMessage, "socket" | "headers">,
  proxies: Networks,
): string {
  let address = normalize(socket.remoteAddress ?? "") ?? "";
  const header = headers["x-forwarded-for"] ?? [];
  const named = [header].flat().join(",").split(",");
  // Each proxy appends the address that its request came from.
  while (proxies.includes(address) && named.length > 0) {
    const before = normalize(named.pop() ?? "");
    if (before === null) break;
    address = before;
  }
  return address;
}

/** Without a port and zone; IPv4 addresses in IPv6 notation are IPv4. Null for what is no address. */
function normalize(text: string): string | null {
  const word = text.trim().replace(/^"|"$/g, "");
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(word) ?? [];
  const [, beforePort] = /^([\d.]+):\d+$/.exec(word) ?? [];
  const address = (bracketed ?? beforePort ?? word).replace(/%.*$/, "");
  const isAddress =
    ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  return isAddress ? ipaddr.process(address).toString() : null;
}
