import { isIP } from "node:net";
import { PlatenError } from "../../plugin-api/index.js";
import type { AddressRules } from "./address-rules.js";

/**
 * Reads an address that somebody wants called, as far as it can be judged without asking for its host.
 * @throws PlatenError `invalid_request` for what is no http(s) address, holds a user's name or password, or names a
 * refused host.
 */
export function callableUrl(
  text: string,
  rules: AddressRules,
  own: URL | null = null,
): URL {
  const url = parsed(text);
  if (url.username !== "" || url.password !== "")
    throw refusal("An address with a user's name or password is not called.");
  const host = bareHost(url.hostname);
  if (isIP(host) !== 0) checkStanding(url.protocol, host, host, rules);
  else if (url.protocol !== "https:" && !rules.hasOwn) throw httpsOnly(host);
  if (own !== null && doorOf(url) === doorOf(own))
    throw refusal(
      `${host} is this service itself, which does not call itself.`,
    );
  return url;
}

/** @throws PlatenError `invalid_request` unless an address to which `host` leads may be called in that way. */
export function checkStanding(
  protocol: string,
  host: string,
  address: string,
  rules: AddressRules,
): void {
  const standing = rules.standing(address);
  if (standing === "refused") throw refusedAddress(host, address);
  if (standing === "public" && protocol !== "https:") throw httpsOnly(host);
}

/** Host and port: another port of the same host is somebody else. */
function doorOf({ protocol, hostname, port }: URL): string {
  const usual = protocol === "https:" ? "443" : "80";
  return `${hostname.replace(/\.$/, "")}:${port || usual}`;
}

/** The host as look-ups and sockets want it: an address of IPv6 without its brackets. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** The resolved address is for the log alone: it would tell a stranger how the network inside is built. */
function refusedAddress(host: string, address: string): PlatenError {
  return new PlatenError(
    "invalid_request",
    `${host} is not on the public internet, so it is not called. Whoever runs the service may allow its network in ` +
      "PLATEN_ALLOW_PRIVATE_NETWORKS.",
    { cause: new Error(`${host} leads to ${address}`) },
  );
}

function httpsOnly(host: string): PlatenError {
  return refusal(
    `${host} is called by https only. Begin the address with https://; plain http is for the networks that are ` +
      "listed in PLATEN_ALLOW_PRIVATE_NETWORKS.",
  );
}

function parsed(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === "https:" || url?.protocol === "http:") return url;
  throw refusal("What is called has an address that begins with https://.");
}

function refusal(message: string): PlatenError {
  return new PlatenError("invalid_request", message);
}
