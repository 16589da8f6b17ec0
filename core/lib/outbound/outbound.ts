import type { Response, Agent, fetch } from "undici";
import { Deadline, type Log, PlatenError } from "../../plugin-api/index.js";
import {
  AddressRules,
  resolveAllowedAddress,
  parseCallableUrl,
  type Resolve,
  createGuardedConnector,
} from "./addresses.js";

export interface OutboundSettings {
  /** CIDR blocks of one's own networks that may be called, also by plain http (PLATEN_ALLOW_PRIVATE_NETWORKS). */
  allowPrivateNetworks: readonly string[];
  /** Where the service itself is reached, which is never called; null when that is not known. */
  own?: URL | null;
  log: Log;
  /** Looks a host up; the system's way when left out. */
  resolve?: Resolve;
}

export interface OutboundCall {
  /** `GET` when left out. */
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array | null;
  /** How many redirects are followed, each checked like the first address; 0, the default, hands out the 3xx itself. */
  maxRedirects?: number;
  /** For all of it: look-up, redirects, and the body to its end. */
  timeoutMs: number;
  /** Largest body, in bytes, once it is decompressed. */
  maxBytes: number;
  /**
   * What happens to a larger one: `refuse`, the default, rejects with `too_large`; `cut` keeps its beginning, also of one
   * whose end does not come in time: the status is the answer.
   */
  whenLarger?: "refuse" | "cut";
  /**
   * Is handed the body of a 200 as it arrives, instead of its being held in memory; what it throws ends the call. The
   * body of any other status is not read at all.
   */
  take?: (chunk: Uint8Array) => Promise<void>;
  /** Ends the call early. */
  signal?: AbortSignal;
}

export interface OutboundReply {
  /** Where the last redirect led. */
  url: string;
  status: number;
  /** By name in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** The body was longer than `maxBytes`, or did not come to its end. */
  isCut: boolean;
}

/** Calls addresses that others have named, and none that leads inside. */
export class Outbound {
  private readonly rules: AddressRules;
  private readonly resolve: Resolve | undefined;
  private readonly own: URL | null;
  private readonly log: Log;
  private transport: Promise<Transport> | null = null;

  constructor(settings: OutboundSettings) {
    this.rules = new AddressRules(settings.allowPrivateNetworks);
    this.own = settings.own ?? null;
    this.log = settings.log;
    this.resolve = settings.resolve;
  }

  /**
   * Whether an address could be called, as far as its text tells: for the moment when somebody saves it.
   * @throws PlatenError `invalid_request`.
   */
  check(url: string): URL {
    return parseCallableUrl(url, this.rules, this.own);
  }

  /**
   * The IP address of a host, for those who connect by another protocol than HTTP and encrypt by themselves. Every
   * address of it must be allowed.
   * @throws PlatenError `invalid_request`, and `unavailable` for a name that nobody knows.
   */
  async addressOf(host: string): Promise<string> {
    try {
      return await resolveAllowedAddress(host, this.rules, this.resolve);
    } catch (error) {
      if (error instanceof PlatenError) throw error;
      throw new PlatenError("unavailable", `${host} was not found.`, {
        cause: error,
      });
    }
  }

  /**
   * Calls an address; any status is a reply.
   * @throws PlatenError `invalid_request` for a refused address or too many redirects, `too_large`, `timeout`, and
   * `unavailable` when there is no answer.
   */
  async fetch(address: string, call: OutboundCall): Promise<OutboundReply> {
    const deadline = Deadline.after(call.timeoutMs, call.signal);
    const state = { url: address };
    try {
      return await this.follow(state, call, deadline.signal);
    } catch (thrown) {
      const error = toOutboundError(thrown, state.url, deadline.signal, call);
      this.log.debug({ err: error, host: getHost(state.url) }, "a call failed");
      throw error;
    }
  }

  /** Ends idle connections; calls that run are let end. */
  async close(): Promise<void> {
    await (await this.transport)?.close();
  }

  private open(): Promise<Transport> {
    this.transport ??= Transport.open(this.rules, this.resolve);
    return this.transport;
  }

  private async follow(
    state: { url: string },
    call: OutboundCall,
    signal: AbortSignal,
  ): Promise<OutboundReply> {
    const { maxRedirects = 0 } = call;
    let headers = call.headers ?? {};
    for (let hop = 0; ; hop += 1) {
      const url = this.check(state.url);
      const response = await this.send(url, { ...call, headers }, signal);
      const next = maxRedirects > 0 ? getRedirect(response, url) : null;
      if (next === null) return toReply(url, response, call);
      await response.body?.cancel();
      if (hop === maxRedirects) throw tooManyRedirects(url, maxRedirects);
      if (next.origin !== url.origin) headers = removeSecretHeaders(headers);
      state.url = next.href;
    }
  }

  private async send(
    url: URL,
    { method = "GET", headers = {}, body = null }: OutboundCall,
    signal: AbortSignal,
  ): Promise<Response> {
    const transport = await this.open();
    return transport.send(url, { method, headers, body, signal });
  }
}

async function toReply(
  { href }: URL,
  response: Response,
  call: OutboundCall,
): Promise<OutboundReply> {
  const { bytes, isCut } = await readReplyBody(response, call);
  return {
    url: href,
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: bytes,
    isCut,
  };
}

async function readReplyBody(
  response: Response,
  { maxBytes, whenLarger = "refuse", take }: OutboundCall,
): Promise<{ bytes: Buffer; isCut: boolean }> {
  if (!take) return readBody(response, maxBytes, whenLarger);
  if (response.status === 200) await streamBody(response, maxBytes, take);
  else await response.body?.cancel();
  return { bytes: Buffer.alloc(0), isCut: false };
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

/** What another host may see: never a key that was meant for the first. */
function removeSecretHeaders(headers: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) =>
      ["accept", "user-agent"].includes(name.toLowerCase()),
    ),
  );
}

function tooManyRedirects({ hostname }: URL, most: number): PlatenError {
  return new PlatenError(
    "invalid_request",
    `${hostname} redirects more than ${most} times. Name the address to which it leads.`,
  );
}

function getHost(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : "";
}

interface TransportRequest {
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | null;
  signal: AbortSignal;
}

/** Connections to others, kept open for a while and made by the guarded connector alone. */
class Transport {
  private constructor(
    private readonly request: typeof fetch,
    private readonly agent: Agent,
  ) {}

  static async open(
    rules: AddressRules,
    resolve?: Resolve,
  ): Promise<Transport> {
    // Loaded by the first call: it takes long to load.
    const undici = await import("undici");
    const connect = createGuardedConnector(
      undici.buildConnector,
      rules,
      resolve,
    );
    return new Transport(undici.fetch, new undici.Agent({ connect }));
  }

  /** One request and its answer; a redirect is an answer. */
  send(url: URL, message: TransportRequest): Promise<Response> {
    const { agent, request } = this;
    return request(url, { ...message, redirect: "manual", dispatcher: agent });
  }

  close(): Promise<void> {
    return this.agent.close();
  }
}

/**
 * Reads a body, already decompressed, no further than it is wanted: what a small one unpacks to is never all held. With
 * `cut`, one that does not come to its end is cut where it stopped.
 */
async function readBody(
  { body }: Response,
  maxBytes: number,
  whenLarger: "refuse" | "cut",
): Promise<{ bytes: Buffer; isCut: boolean }> {
  const chunks: Uint8Array[] = [];
  try {
    const size = await collect(body, chunks, maxBytes, whenLarger);
    return { bytes: Buffer.concat(chunks), isCut: size > maxBytes };
  } catch (error) {
    if (whenLarger === "refuse") throw error;
    return { bytes: Buffer.concat(chunks), isCut: true };
  }
}

/** Hands a body on as it arrives, already decompressed. @throws PlatenError `too_large`, and whatever `take` throws. */
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

/** @returns how many bytes came; one that says too many may not have been read to its end. */
async function collect(
  body: Response["body"],
  chunks: Uint8Array[],
  maxBytes: number,
  whenLarger: "refuse" | "cut",
): Promise<number> {
  let size = 0;
  for await (const chunk of body ?? []) {
    const bytes = toBytes(chunk);
    chunks.push(bytes.subarray(0, maxBytes - size));
    size += bytes.length;
    // Leaving the loop cancels the stream, and with it the connection.
    if (size > maxBytes && whenLarger === "refuse") throw tooLarge(maxBytes);
    if (size > maxBytes) break;
  }
  return size;
}

function toBytes(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw new TypeError("a body is made of bytes");
}

function tooLarge(maxBytes: number): PlatenError {
  return new PlatenError(
    "too_large",
    `The answer is larger than ${maxBytes} bytes.`,
  );
}

/** Words for the ends of a connection that people meet most. */
const faultMessages: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection was cut",
  UND_ERR_SOCKET: "the connection was cut",
  ENOTFOUND: "there is no such host",
  ETIMEOUT: "its name could not be looked up",
  ESERVFAIL: "its name could not be looked up",
  EAI_AGAIN: "its name could not be looked up",
  UND_ERR_CONNECT_TIMEOUT: "it did not answer",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is one that it made itself",
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
      `${host} did not answer whole within ${timeoutMs} ms.`,
      { cause: thrown },
    );
  return new PlatenError(
    "unavailable",
    `${host} could not be called: ${describeFault(thrown)}.`,
    { cause: thrown },
  );
}

function describeFault(thrown: unknown): string {
  // The list of the Fetch standard, which gives this error no code.
  if (listCauses(thrown).some(({ message }) => message === "bad port"))
    return "its port is that of another protocol";
  const codes = listCauses(thrown).map((error) =>
    "code" in error ? String(error.code) : "",
  );
  const known = codes.find((code) => code in faultMessages) ?? "";
  return faultMessages[known] ?? "the connection failed";
}

/** An error and its causes; several addresses that failed are one error that holds them all. */
function listCauses(thrown: unknown): Error[] {
  if (!(thrown instanceof Error)) return [];
  const others = thrown instanceof AggregateError ? thrown.errors : [];
  return [thrown, ...others.flatMap(listCauses), ...listCauses(thrown.cause)];
}
