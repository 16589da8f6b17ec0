import type { Agent, fetch, Response } from "undici";
import type { AddressRules } from "./address-rules.js";
import { guardedConnector } from "./guarded-connector.js";
import type { Resolve } from "./system-resolver.js";

export interface Message {
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | null;
  signal: AbortSignal;
}

/** Connections to others, kept open for a while and made by the guarded connector alone. */
export class Transport {
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
    const connect = guardedConnector(undici.buildConnector, rules, resolve);
    return new Transport(undici.fetch, new undici.Agent({ connect }));
  }

  /** One request and its answer; a redirect is an answer. */
  send(url: URL, message: Message): Promise<Response> {
    const { agent, request } = this;
    return request(url, { ...message, redirect: "manual", dispatcher: agent });
  }

  close(): Promise<void> {
    return this.agent.close();
  }
}
