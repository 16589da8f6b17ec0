import { LRUCache } from "lru-cache";
import type { Response, Agent, fetch } from "undici";
import { Deadline, type Log, PlatenError } from "../../plugin-api/index.js";
import { createToken, provide } from "../injection.js";
import { CONFIG, LOG } from "../process-values.js";
import {
  AddressRules,
  resolveAllowedAddress,
  parseCallableUrl,
  type Resolve,
  createGuardedConnector,
  stripBrackets,
} from "./addresses.js";

/** The private networks to which an organization is narrowed; null for all that are allowed. */
export const FIND_ORGANIZATION_NETWORKS = createToken<
  (organizationId: string) => Promise<readonly string[] | null>
>("private networks of an organization");

export interface OutboundSettings {
  /** CIDR blocks of private networks that may be called, even over plain http (PLATEN_ALLOW_PRIVATE_NETWORKS). */
  allowPrivateNetworks: readonly string[];
  /**
   * The networks to which an organization's calls are narrowed; null for all of those that are allowed. Without it, no
   * organization is narrowed.
   */
  findOrganizationNetworks?: (
    organizationId: string,
  ) => Promise<readonly string[] | null>;
  /** The URL of the service itself, which is never called; null when it is unknown. */
  ownUrl?: URL | null;
  log: Log;
  /** By default, `createSystemResolver`. */
  resolve?: Resolve;
}

export interface OutboundCall {
  /** `GET` by default. */
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array | null;
  /** The number of redirects to follow, each checked like the first URL; with 0, the default, a 3xx is the reply. */
  maxRedirects?: number;
  /** For everything: name resolution, redirects and the complete body. */
  timeoutMs: number;
  /** After decompression. */
  maxBytes: number;
  /**
   * What to do with a larger body: `refuse`, the default, rejects with `too_large`; `cut` returns its beginning, also
   * when the body does not end in time.
   */
  whenLarger?: "refuse" | "cut";
  /**
   * Receives the body of a 200 as it arrives instead of buffering it in memory; its errors end the call. Bodies of other
   * statuses are not read.
   */
  take?: (chunk: Uint8Array) => Promise<void>;
  signal?: AbortSignal;
}

export interface OutboundReply {
  /** After all redirects. */
  url: string;
  status: number;
  /** Names are in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** Whether the body is incomplete. */
  isCut: boolean;
  /** Whether it comes from a private network, directly or after redirects. */
  isPrivate: boolean;
}

/** Calls URLs from users, but never hosts in private networks unless they are allowed. */
export class Outbound {
  private readonly rules: AddressRules;
  private transport: Promise<Transport> | null = null;
  /** By the networks to which they are narrowed. Connections are not shared: each was opened by its own rules. */
  private readonly narrowed = new Map<string, Outbound>();

  constructor(
    private readonly settings: OutboundSettings,
    narrowedTo: readonly string[] | null = null,
  ) {
    this.rules = new AddressRules(settings.allowPrivateNetworks, narrowedTo);
  }

  /** For calls on behalf of an organization, which may have been narrowed to fewer private networks. */
  async forOrganization(organizationId: string): Promise<Outbound> {
    const { allowPrivateNetworks, findOrganizationNetworks } = this.settings;
    if (allowPrivateNetworks.length === 0 || !findOrganizationNetworks)
      return this;
    const networks = await findOrganizationNetworks(organizationId);
    if (networks === null) return this;
    const key = networks.toSorted().join();
    const cached = this.narrowed.get(key);
    if (cached) return cached;
    const outbound = new Outbound(this.settings, networks);
    this.narrowed.set(key, outbound);
    return outbound;
  }

  /**
   * Validates a URL when it is saved, without resolving its host.
   * @throws PlatenError `invalid_request`.
   */
  check(url: string): URL {
    return parseCallableUrl(url, this.rules, this.settings.ownUrl);
  }

  /**
   * The IP address of a host, for encrypted protocols other than HTTP. All addresses of the host must be allowed.
   * @throws PlatenError `invalid_request`, `unavailable` for an unknown host.
   */
  async addressOf(host: string): Promise<string> {
    try {
      const { resolve } = this.settings;
      return await resolveAllowedAddress(host, this.rules, resolve);
    } catch (error) {
      if (error instanceof PlatenError) throw error;
      throw new PlatenError("unavailable", `Unknown host ${host}.`, {
        cause: error,
      });
    }
  }

  /**
   * Calls a URL; any status is a reply.
   * @throws PlatenError `invalid_request` for a blocked URL or too many redirects, `too_large`, `timeout`, and
   * `unavailable` without a response.
   */
  async fetch(address: string, call: OutboundCall): Promise<OutboundReply> {
    const deadline = Deadline.after(call.timeoutMs, call.signal);
    const state = { url: address };
    try {
      return await this.follow(state, call, deadline.signal);
    } catch (thrown) {
      const error = toOutboundError(thrown, state.url, deadline.signal, call);
      const host = URL.canParse(state.url) ? new URL(state.url).hostname : "";
      this.settings.log.debug({ err: error, host }, "outbound call failed");
      throw error;
    } finally {
      deadline.clear();
    }
  }

  /** Closes idle connections and waits for running calls. */
  async close(): Promise<void> {
    for (const outbound of this.narrowed.values()) await outbound.close();
    await (await this.transport)?.close();
  }

  private async follow(
    state: { url: string },
    call: OutboundCall,
    signal: AbortSignal,
  ): Promise<OutboundReply> {
    const { maxRedirects = 0 } = call;
    let headers = call.headers ?? {};
    let isPrivate = false;
    for (let hop = 0; ; hop += 1) {
      const url = this.check(state.url);
      const response = await this.send(url, { ...call, headers }, signal);
      isPrivate ||= (await this.transport)?.isPrivate(url) === true;
      const next = maxRedirects > 0 ? getRedirect(response, url) : null;
      if (next === null)
        return { ...(await toReply(url, response, call)), isPrivate };
      await response.body?.cancel();
      if (hop === maxRedirects)
        throw new PlatenError(
          "invalid_request",
          `${url.hostname} redirects more than ${maxRedirects} times. Use the final URL instead.`,
        );
      if (next.origin !== url.origin) headers = removeSecretHeaders(headers);
      state.url = next.href;
    }
  }

  private async send(
    url: URL,
    { method = "GET", headers = {}, body = null }: OutboundCall,
    signal: AbortSignal,
  ): Promise<Response> {
    const { resolve } = this.settings;
    const transport = await (this.transport ??= Transport.open(
      this.rules,
      resolve,
    ));
    return transport.send(url, { method, headers, body, signal });
  }
}

provide(Outbound, (c) => {
  const { baseUrl, outbound } = c.resolve(CONFIG);
  return new Outbound({
    ...outbound,
    findOrganizationNetworks: c.resolve(FIND_ORGANIZATION_NETWORKS),
    ownUrl: baseUrl === null ? null : new URL(baseUrl),
    log: c.resolve(LOG),
  });
});

async function toReply(
  { href }: URL,
  response: Response,
  call: OutboundCall,
): Promise<Omit<OutboundReply, "isPrivate">> {
  const { maxBytes, whenLarger = "refuse", take } = call;
  const reply = {
    url: href,
    status: response.status,
    headers: Object.fromEntries(response.headers),
  };
  if (!take)
    return { ...reply, ...(await readBody(response, maxBytes, whenLarger)) };
  if (response.status === 200) await streamBody(response, maxBytes, take);
  else await response.body?.cancel();
  return { ...reply, body: Buffer.alloc(0), isCut: false };
}

function getRedirect({ status, headers }: Response, from: URL): URL | null {
  const location = headers.get("location");
  if (![301, 302, 303, 307, 308].includes(status) || location === null)
    return null;
  if (URL.canParse(location, from.href)) return new URL(location, from);
  throw new PlatenError(
    "invalid_request",
    `${from.hostname} redirects to an invalid URL.`,
  );
}

/** Another host must not receive API keys for the first one. */
function removeSecretHeaders(headers: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) =>
      ["accept", "user-agent"].includes(name.toLowerCase()),
    ),
  );
}

type TransportRequest = Required<
  Pick<OutboundCall, "method" | "headers" | "body" | "signal">
>;

const maxPrivateHosts = 10_000;

/** Pooled connections, all opened by the guarded connector. */
class Transport {
  private constructor(
    private readonly request: typeof fetch,
    private readonly agent: Agent,
    private readonly privateHosts: LRUCache<string, true>,
  ) {}

  static async open(
    rules: AddressRules,
    resolve?: Resolve,
  ): Promise<Transport> {
    // Loaded on first use: it takes long to load.
    const undici = await import("undici");
    const privateHosts = new LRUCache<string, true>({ max: maxPrivateHosts });
    const connect = createGuardedConnector(
      undici.buildConnector,
      rules,
      (host) => privateHosts.set(host, true),
      resolve,
    );
    const agent = new undici.Agent({ connect });
    return new Transport(undici.fetch, agent, privateHosts);
  }

  /** Whether this process has opened a connection to this host in a private network. */
  isPrivate({ hostname }: URL): boolean {
    return this.privateHosts.get(stripBrackets(hostname)) === true;
  }

  /** Does not follow redirects. */
  send(url: URL, message: TransportRequest): Promise<Response> {
    const { agent, request } = this;
    return request(url, { ...message, redirect: "manual", dispatcher: agent });
  }

  close(): Promise<void> {
    return this.agent.close();
  }
}

/**
 * Reads a decompressed body up to the limit, so that a small one that unpacks to gigabytes does not fill the memory.
 * With `cut`, an interrupted body ends where it was interrupted.
 */
async function readBody(
  { body }: Response,
  maxBytes: number,
  whenLarger: "refuse" | "cut",
): Promise<Pick<OutboundReply, "body" | "isCut">> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
      const bytes = toBytes(chunk);
      chunks.push(bytes.subarray(0, maxBytes - size));
      size += bytes.length;
      // Leaving the loop cancels the stream, and with it the connection.
      if (size > maxBytes && whenLarger === "refuse") throw tooLarge(maxBytes);
      if (size > maxBytes) break;
    }
    return { body: Buffer.concat(chunks), isCut: size > maxBytes };
  } catch (error) {
    if (whenLarger === "refuse") throw error;
    return { body: Buffer.concat(chunks), isCut: true };
  }
}

/** Passes on a decompressed body as it arrives. @throws PlatenError `too_large`, and the errors of `take`. */
async function streamBody(
  { body }: Response,
  maxBytes: number,
  take: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  let size = 0;
  for await (const chunk of body ?? []) {
    const bytes = toBytes(chunk);
    size += bytes.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    await take(bytes);
  }
}

function toBytes(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw new TypeError("expected bytes");
}

function tooLarge(maxBytes: number): PlatenError {
  return new PlatenError(
    "too_large",
    `The response is larger than ${maxBytes} bytes.`,
  );
}

const errorDescriptions: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection was closed",
  UND_ERR_SOCKET: "the connection was closed",
  ENOTFOUND: "unknown host",
  ETIMEOUT: "its host name could not be resolved",
  ESERVFAIL: "its host name could not be resolved",
  EAI_AGAIN: "its host name could not be resolved",
  UND_ERR_CONNECT_TIMEOUT: "it does not respond",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
};

/** Converts a failure to a PlatenError, which names only the host, since the rest of the URL may contain a secret. */
function toOutboundError(
  thrown: unknown,
  url: string,
  signal: AbortSignal,
  { timeoutMs }: { timeoutMs: number },
): PlatenError {
  for (const error of listCauses(thrown))
    if (error instanceof PlatenError) return error;
  if (signal.reason instanceof PlatenError) return signal.reason;
  const host = URL.canParse(url) ? new URL(url).host : "The host";
  if (signal.aborted)
    return new PlatenError(
      "timeout",
      `${host} did not send a complete response within ${timeoutMs / 1000} s.`,
      { cause: thrown },
    );
  return new PlatenError(
    "unavailable",
    `Cannot connect to ${host}: ${describeConnectionError(thrown)}.`,
    { cause: thrown },
  );
}

function describeConnectionError(thrown: unknown): string {
  // Ports that the Fetch standard blocks; the error has no code.
  if (listCauses(thrown).some(({ message }) => message === "bad port"))
    return "its port is reserved for another protocol";
  const codes = listCauses(thrown).map((error) =>
    "code" in error ? String(error.code) : "",
  );
  const knownCode = codes.find((code) => code in errorDescriptions) ?? "";
  return errorDescriptions[knownCode] ?? "the connection failed";
}

/** An error and its causes, including those of each address that failed. */
function listCauses(thrown: unknown): Error[] {
  if (!(thrown instanceof Error)) return [];
  const others = thrown instanceof AggregateError ? thrown.errors : [];
  return [thrown, ...others.flatMap(listCauses), ...listCauses(thrown.cause)];
}
