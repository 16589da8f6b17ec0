import { lookup, Resolver } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { callbackify } from "node:util";
import ipaddr from "ipaddr.js";
import pLimit from "p-limit";
import type { buildConnector } from "undici";
import { PlatenError } from "../../plugin-api/index.js";

/** A parsed address; those of IPv4 that are written as IPv6 (`::ffff:10.0.0.1`) are IPv4 here. */
type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** What an address is to us: on the internet, in a network that the operator allowed, or neither. */
type AddressClass = "public" | "own" | "refused";

/** Azure's own service for its machines answers at an address that looks public. */
const blockedPublicAddresses: readonly string[] = ["168.63.129.16"];

/** All of IPv6 that has been given out for the internet; 6to4, Teredo and the like in it are refused by their kind. */
const globalUnicast = ipaddr.parseCIDR("2000::/3");

/** Which addresses may be called: those of the internet, and those of the networks that are listed. */
export class AddressRules {
  private readonly own: readonly Network[];

  /** @param networks CIDR blocks, such as `10.0.0.0/8` or `fd00::/8`; throws when one is not. */
  constructor(networks: readonly string[]) {
    this.own = networks.map((network) => ipaddr.parseCIDR(network));
  }

  /** Whether the operator allowed any network of their own. */
  get hasOwn(): boolean {
    return this.own.length > 0;
  }

  /** @param text an address of IPv4 or IPv6; anything else is refused. */
  standing(text: string): AddressClass {
    if (!ipaddr.isValid(text)) return "refused";
    const address = ipaddr.process(text);
    if (this.own.some((network) => isWithin(address, network))) return "own";
    return isPublic(address) ? "public" : "refused";
  }
}

/** Addresses that carry one of IPv4 inside (6to4, NAT64, Teredo) have a kind of their own, hence are not public. */
function isPublic(address: Address): boolean {
  if (address.range() !== "unicast") return false;
  if (blockedPublicAddresses.includes(address.toString())) return false;
  return address.kind() === "ipv4" || isWithin(address, globalUnicast);
}

function isWithin(address: Address, [network, bits]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/**
 * Reads an address that somebody wants called, as far as it can be judged without asking for its host.
 * @throws PlatenError `invalid_request` for a URL that is not http(s), holds a user's name or password, or names a
 * refused host.
 */
export function parseCallableUrl(
  text: string,
  rules: AddressRules,
  own: URL | null = null,
): URL {
  const url = parseUrl(text);
  if (url.username !== "" || url.password !== "")
    throw invalidUrl(
      "An address with a user's name or password is not called.",
    );
  const host = stripBrackets(url.hostname);
  if (isIP(host) !== 0) assertAllowedAddress(url.protocol, host, host, rules);
  else if (url.protocol !== "https:" && !rules.hasOwn)
    throw httpsRequired(host);
  if (own !== null && getHostAndPort(url) === getHostAndPort(own))
    throw invalidUrl(
      `${host} is this service itself, which does not call itself.`,
    );
  return url;
}

/** @throws PlatenError `invalid_request` unless an address to which `host` leads may be called in that way. */
function assertAllowedAddress(
  protocol: string,
  host: string,
  address: string,
  rules: AddressRules,
): void {
  const standing = rules.standing(address);
  if (standing === "refused") throw blockedAddress(host, address);
  if (standing === "public" && protocol !== "https:") throw httpsRequired(host);
}

/** Host and port: another port of the same host is somebody else. */
function getHostAndPort({ protocol, hostname, port }: URL): string {
  const usual = protocol === "https:" ? "443" : "80";
  return `${hostname.replace(/\.$/, "")}:${port || usual}`;
}

/** The host as look-ups and sockets want it: an address of IPv6 without its brackets. */
function stripBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** The resolved address goes to the log only: it would reveal the internal network. */
function blockedAddress(host: string, address: string): PlatenError {
  return new PlatenError(
    "invalid_request",
    `${host} is not on the public internet, so it is not called. Whoever runs the service may allow its network in ` +
      "PLATEN_ALLOW_PRIVATE_NETWORKS.",
    { cause: new Error(`${host} leads to ${address}`) },
  );
}

function httpsRequired(host: string): PlatenError {
  return invalidUrl(
    `${host} is called by https only. Begin the address with https://; plain http is for the networks that are ` +
      "listed in PLATEN_ALLOW_PRIVATE_NETWORKS.",
  );
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === "https:" || url?.protocol === "http:") return url;
  throw invalidUrl("What is called has an address that begins with https://.");
}

function invalidUrl(message: string): PlatenError {
  return new PlatenError("invalid_request", message);
}

/** The first address of a host, when all of them may be called. @throws PlatenError `invalid_request`. */
export async function resolveAllowedAddress(
  host: string,
  rules: AddressRules,
  resolve: Resolve = createSystemResolver(),
): Promise<string> {
  const name = stripBrackets(host);
  const found =
    isIP(name) === 0 ? await resolve(name) : [{ address: name, family: 0 }];
  for (const { address } of found)
    assertAllowedAddress("https:", name, address, rules);
  const [first] = found;
  if (!first) throw new Error("the host has no address");
  return first.address;
}

/**
 * Opens connections for undici. A host is looked up once, every address of it is checked, and the socket is handed
 * just these addresses: there is no second look-up that could answer otherwise.
 */
export function createGuardedConnector(
  build: typeof buildConnector,
  rules: AddressRules,
  resolve: Resolve = createSystemResolver(),
): buildConnector.connector {
  const open = (protocol: string) =>
    // Only with the flag does a socket ask for all addresses at once, and try them in turn.
    build({
      lookup: createGuardedLookup(protocol, rules, resolve),
      autoSelectFamily: true,
    });
  const [plain, secure] = [open("http:"), open("https:")];
  return (options, callback) => {
    const host = stripBrackets(options.hostname);
    try {
      // An address is dialled as it is: nothing looks it up.
      if (isIP(host) !== 0)
        assertAllowedAddress(options.protocol, host, host, rules);
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
  resolve: Resolve,
): LookupFunction {
  const checked = async (host: string) => {
    const addresses = await resolve(host);
    for (const { address } of addresses)
      assertAllowedAddress(protocol, host, address, rules);
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

/** The system's own look-ups each hold a thread that files and pictures need too; this many may do so at once. */
const maxConcurrentLookups = 2;

/** Asking the name servers ended so because they do not know the name, or because there are none. */
const notFoundCodes: readonly string[] = [
  "ENOTFOUND",
  "ENODATA",
  "EBADNAME",
  "EREFUSED",
  "ECONNREFUSED",
];

/**
 * Asks the name servers, which holds no thread, so that names whose servers never answer stop nobody; and only for
 * names that these do not know the system, with its hosts file and search domains.
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
    const found = [...toAddresses(four, 4), ...toAddresses(six, 6)];
    if (found.length > 0) return found;
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
