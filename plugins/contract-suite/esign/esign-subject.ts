import type {
  EsignContext,
  EsignProvider,
  RawNotice,
} from "../../../core/plugin-api/index.js";
import type { Addresses } from "../subject.js";

/** What a signer does. */
export interface SignerAct {
  externalId: string;
  role: string;
  act: "sign" | "decline";
}

export interface StartedProvider<C> {
  /** The suite puts its fault proxy before each. Empty for what runs inside the service. */
  addresses: Addresses;
  /** Credentials that reach the server under these addresses: those of the proxies. */
  credentials(addresses: Addresses): C;
  /** The same, refused by the server; left out where there is nothing to refuse. */
  wrongCredentials?(addresses: Addresses): C;
  /** Plays a signer whose turn it is. */
  play(act: SignerAct, context: EsignContext<C>): Promise<void>;
  /** How many requests of this id the provider holds, sent or not: never more than one. */
  count(requestId: string, context: EsignContext<C>): Promise<number>;
  /** A true notice about a request, as the provider would send it now; left out when it sends none. */
  notice?(externalId: string): RawNotice;
  close(): Promise<void>;
}

/** What the author of a provider hands to the suite. */
export interface EsignSubject<C> {
  plugin: EsignProvider<C>;
  /** Starts a server, real or faithful. Called once, by the first check that runs. */
  start(): Promise<StartedProvider<C>>;
}
