import type { Response } from "undici";
import { Deadline, type Log, PlatenError } from "../../plugin-api/index.js";
import { AddressRules } from "./address-rules.js";
import { checkedAddress } from "./checked-address.js";
import { callableUrl } from "./callable-url.js";
import { outboundError } from "./outbound-error.js";
import { passBody, readBody } from "./read-body.js";
import type { Resolve } from "./system-resolver.js";
import { Transport } from "./transport.js";

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
    return callableUrl(url, this.rules, this.own);
  }

  /**
   * The IP address of a host, for those who connect by another protocol than HTTP and encrypt by themselves. Every
   * address of it must be allowed.
   * @throws PlatenError `invalid_request`, and `unavailable` for a name that nobody knows.
   */
  async addressOf(host: string): Promise<string> {
    try {
      return await checkedAddress(host, this.rules, this.resolve);
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
      const error = outboundError(thrown, state.url, deadline.signal, call);
      this.log.debug({ err: error, host: hostOf(state.url) }, "a call failed");
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
      const next = maxRedirects > 0 ? redirectOf(response, url) : null;
      if (next === null) return reply(url, response, call);
      await response.body?.cancel();
      if (hop === maxRedirects) throw tooManyRedirects(url, maxRedirects);
      if (next.origin !== url.origin) headers = harmless(headers);
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

async function reply(
  { href }: URL,
  response: Response,
  call: OutboundCall,
): Promise<OutboundReply> {
  const { bytes, isCut } = await bodyOf(response, call);
  return {
    url: href,
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: bytes,
    isCut,
  };
}

async function bodyOf(
  response: Response,
  { maxBytes, whenLarger = "refuse", take }: OutboundCall,
): Promise<{ bytes: Buffer; isCut: boolean }> {
  if (!take) return readBody(response, maxBytes, whenLarger);
  if (response.status === 200) await passBody(response, maxBytes, take);
  else await response.body?.cancel();
  return { bytes: Buffer.alloc(0), isCut: false };
}

function redirectOf({ status, headers }: Response, from: URL): URL | null {
  const location = headers.get("location");
  if (![301, 302, 303, 307, 308].includes(status) || location === null)
    return null;
  if (URL.canParse(location, from.href)) return new URL(location, from);
  throw new PlatenError(
    "invalid_request",
    `${from.hostname} redirects to what is no address.`,
  );
}

/** What another host may see: never a key that was meant for the first. */
function harmless(headers: Readonly<Record<string, string>>) {
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

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : "";
}
