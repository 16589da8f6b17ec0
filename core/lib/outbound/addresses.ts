import { lookup, Resolver } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { callbackify } from "node:util";
import ipaddr from "ipaddr.js";
import pLimit from "p-limit";
import type { buildConnector } from "undici";
import { PlatenError } from "../../plugin-api/index.js";
import { Networks } from "../networks.js";

/** A parsed IP address; IPv4 addresses in IPv6 notation (`::ffff:10.0.0.1`) are IPv4. */
type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** On the internet, in an allowed private network, or neither. */
type AddressClass = "public" | "private" | "blocked";

/** Azure's metadata service has an address in a public range. */
const blockedPublicAddresses: readonly string[] = ["168.63.129.16"];

/** All IPv6 addresses for the internet; 6to4, Teredo and similar ranges in it are excluded by `range()`. */
const globalUnicast = new Networks(["2000::/3"]);

/** Allows addresses on the internet and in the listed networks. */
export class AddressRules {
  private readonly allowed: Networks;
  private readonly narrowed: Networks | null;

  /**
   * @param networks CIDR blocks such as `10.0.0.0/8` or `fd00::/8`; throws for invalid ones.
   * @param narrowedTo of these networks, only what is also in this list; null for all of them.
   */
  constructor(
    networks: readonly string[],
    narrowedTo: readonly string[] | null = null,
  ) {
    this.allowed = new Networks(networks);
    this.narrowed = narrowedTo && new Networks(narrowedTo);
  }

  /** Whether any private network is allowed. */
  get allowsPrivate(): boolean {
    return !this.allowed.isEmpty && this.narrowed?.isEmpty !== true;
  }

  /** How the operator can allow a network. */
  get setting(): string {
    return this.narrowed === null
      ? "PLATEN_ALLOW_PRIVATE_NETWORKS"
      : "PLATEN_ALLOW_PRIVATE_NETWORKS and, for this organization, platen org set --private-networks";
  }

  /** @param text an IP address; anything else is blocked. */
  classify(text: string): AddressClass {
    if (!ipaddr.isValid(text)) return "blocked";
    const address = ipaddr.process(text);
    if (this.allowed.includes(text) && this.narrowed?.includes(text) !== false)
      return "private";
    return isPublic(address) ? "public" : "blocked";
  }
}

/** IPv6 addresses that contain an IPv4 address (6to4, NAT64, Teredo) are not `unicast`, so they are not public. */
function isPublic(address: Address): boolean {
  if (address.range() !== "unicast") return false;
  if (blockedPublicAddresses.includes(address.toString())) return false;
  return address.kind() === "ipv4" || globalUnicast.includes(String(address));
}

/**
 * Validates a URL without resolving its host.
 * @throws PlatenError `invalid_request` for a URL that is not http(s), contains credentials, or has a blocked host.
 */
export function parseCallableUrl(
  text: string,
  rules: AddressRules,
  ownUrl: URL | null = null,
): URL {
  const url = parseUrl(text);
  if (url.username !== "" || url.password !== "")
    throw invalidUrl("The URL must not contain a user name or password.");
  const host = stripBrackets(url.hostname);
  if (isIP(host) !== 0) assertAllowedAddress(url.protocol, host, host, rules);
  else if (url.protocol !== "https:" && !rules.allowsPrivate)
    throw httpsRequired(host, rules);
  if (ownUrl !== null && getHostAndPort(url) === getHostAndPort(ownUrl))
    throw invalidUrl(
      `${host} is this service itself, which must not call itself.`,
    );
  return url;
}

/**
 * @returns whether it is in an allowed private network.
 * @throws PlatenError `invalid_request` unless this address of `host` may be called with the protocol.
 */
function assertAllowedAddress(
  protocol: string,
  host: string,
  address: string,
  rules: AddressRules,
): boolean {
  const kind = rules.classify(address);
  if (kind === "blocked") throw blockedAddress(host, address, rules);
  if (kind === "public" && protocol !== "https:")
    throw httpsRequired(host, rules);
  return kind === "private";
}

/** Another port of the same host is another service. */
function getHostAndPort({ protocol, hostname, port }: URL): string {
  const defaultPort = protocol === "https:" ? "443" : "80";
  return `${hostname.replace(/\.$/, "")}:${port || defaultPort}`;
}

/** DNS and sockets require IPv6 addresses without brackets. */
export function stripBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** The resolved address is only logged, since it would reveal the internal network. */
function blockedAddress(
  host: string,
  address: string,
  { setting }: AddressRules,
): PlatenError {
  return new PlatenError(
    "invalid_request",
    `${host} is not on the public internet. The operator of the service can allow its network with ${setting}.`,
    { cause: new Error(`${host} resolves to ${address}`) },
  );
}

function httpsRequired(host: string, { setting }: AddressRules): PlatenError {
  return invalidUrl(
    `${host} requires https. The URL must start with https://; plain http is only allowed for networks in ${setting}.`,
  );
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === "https:" || url?.protocol === "http:") return url;
  throw invalidUrl("The URL must start with https://.");
}

function invalidUrl(message: string): PlatenError {
  return new PlatenError("invalid_request", message);
}

/** The first address of a host if all of them may be called. @throws PlatenError `invalid_request`. */
export async function resolveAllowedAddress(
  host: string,
  rules: AddressRules,
  resolve: Resolve = createSystemResolver(),
): Promise<string> {
  const name = stripBrackets(host);
  const addresses =
    isIP(name) === 0 ? await resolve(name) : [{ address: name, family: 0 }];
  for (const { address } of addresses)
    assertAllowedAddress("https:", name, address, rules);
  const [first] = addresses;
  if (!first) throw new Error("the host has no address");
  return first.address;
}

/**
 * Opens connections for undici. A host is resolved once, all its addresses are checked, and the socket uses exactly
 * these addresses: a second resolution could return others.
 * @param onPrivate is called with the host before a connection to a private network is opened.
 */
export function createGuardedConnector(
  build: typeof buildConnector,
  rules: AddressRules,
  onPrivate: (host: string) => void,
  resolve: Resolve = createSystemResolver(),
): buildConnector.connector {
  const open = (protocol: string) =>
    // With this flag, a socket requests all addresses at once and tries them in turn.
    build({
      lookup: createGuardedLookup(protocol, rules, onPrivate, resolve),
      autoSelectFamily: true,
    });
  const [plain, secure] = [open("http:"), open("https:")];
  return (options, callback) => {
    const host = stripBrackets(options.hostname);
    try {
      // IP addresses are not resolved, so the lookup does not check them.
      if (
        isIP(host) !== 0 &&
        assertAllowedAddress(options.protocol, host, host, rules)
      )
        onPrivate(host);
    } catch (error) {
      callback(toError(error), null);
      return;
    }
    const connect = options.protocol === "https:" ? secure : plain;
    connect(options, callback);
  };
}

function createGuardedLookup(
  protocol: string,
  rules: AddressRules,
  onPrivate: (host: string) => void,
  resolve: Resolve,
): LookupFunction {
  const checked = async (host: string) => {
    const addresses = await resolve(host);
    for (const { address } of addresses)
      if (assertAllowedAddress(protocol, host, address, rules)) onPrivate(host);
    return addresses;
  };
  const answer = callbackify(checked);
  return (host, _options, callback) => {
    answer(host, (error, addresses) => callback(error, addresses ?? []));
  };
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** Every address of a host. */
export type Resolve = (host: string) => Promise<ResolvedAddress[]>;

const resolverOptions = { timeout: 2000, tries: 2 };

/** Each system lookup blocks a thread of the pool, which files and images need too. */
const maxConcurrentLookups = 2;

/** The name servers do not know the name, or there are none. */
const notFoundCodes: readonly string[] = [
  "ENOTFOUND",
  "ENODATA",
  "EBADNAME",
  "EREFUSED",
  "ECONNREFUSED",
];

/**
 * Queries the name servers, which blocks no thread, so that slow servers delay only their own requests. For names that
 * they do not know, uses the system's resolver with its hosts file and search domains.
 */
export function createSystemResolver(
  servers: Resolver = new Resolver(resolverOptions),
): Resolve {
  const limit = pLimit(maxConcurrentLookups);
  return async (host) => {
    const [four, six] = await Promise.allSettled([
      servers.resolve4(host),
      servers.resolve6(host),
    ]);
    const addresses = [...toAddresses(four, 4), ...toAddresses(six, 6)];
    if (addresses.length > 0) return addresses;
    for (const result of [four, six])
      if (result.status === "rejected" && !isNotFound(result.reason))
        throw result.reason;
    return limit(() => lookup(host, { all: true, verbatim: true }));
  };
}

function toAddresses(
  result: PromiseSettledResult<string[]>,
  family: number,
): ResolvedAddress[] {
  if (result.status === "rejected") return [];
  return result.value.map((address) => ({ address, family }));
}

function isNotFound(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    notFoundCodes.includes(String(error.code))
  );
}
