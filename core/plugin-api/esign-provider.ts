import type { PlatformContext, PlatformRate } from "./platform-plugin.js";
import type { PluginMeta, SettingsSchema } from "./plugin.js";
import type { SignFieldType } from "./definition.js";

// A provider plugin turns one request into its service's calls and tells what became of it. The host does everything
// else, once for all providers: the request's row, attempts, polling, time limits, and where the signed file goes.

/** Where a signer fills something in. */
export interface FieldBox {
  /** Unique in the request. */
  id: string;
  /** What the template calls it; several boxes with one name and role are one field. */
  name: string;
  role: string;
  type: SignFieldType;
  required: boolean;
  options?: readonly string[];
  /** From 1. */
  page: number;
  /** Parts of the page's width and height, 0 to 1, from its top left corner. */
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface Submitter {
  role: string;
  email: string;
  name?: string;
  /** Equal numbers sign side by side, greater ones after smaller ones; from 0, without gaps. */
  order: number;
  /** Filled in beforehand, by the fields' names. */
  values?: Readonly<Record<string, unknown>>;
}

export interface SignRequest {
  /** Ours: the same in every attempt. `find` knows the request by it. */
  requestId: string;
  title: string;
  expiresAt?: Date;
  pdf: { name: string; bytes: Uint8Array; pages: number };
  fields: readonly FieldBox[];
  submitters: readonly Submitter[];
  message?: { subject?: string; body?: string };
}

export const SIGNER_STATUSES = [
  "waiting",
  "sent",
  "opened",
  "completed",
  "declined",
] as const;
export type SignerStatus = (typeof SIGNER_STATUSES)[number];

/** One submitter, as the provider has it. */
export interface Signer {
  role: string;
  externalId?: string;
  /** Where the signer signs, when the provider tells. */
  url?: string;
  status: SignerStatus;
  /** Why, of one who declined. */
  reason?: string;
}

export interface StartedRequest {
  externalId: string;
  signers: Signer[];
  /** What the provider could not take over, in words for users. */
  warnings?: string[];
}

export interface RequestState extends StartedRequest {
  status: "pending" | "completed" | "declined" | "expired" | "canceled";
}

/** A file of a finished request; the host stores it as an output with this label. */
export interface SignedFile {
  label: "signed" | "audit";
  mimeType: string;
  bytes: Uint8Array;
}

export interface EsignCapabilities {
  /** Whether signers can be asked one after the other. */
  order: boolean;
  values: boolean;
  /** `days`: whole days, rounded up. */
  expiry: "instant" | "days" | "none";
  message: boolean;
  cancel: boolean;
  resend: boolean;
  /** What proves a notice's origin: an HMAC over its body, a shared secret in a header, or nothing. */
  noticeProof: "hmac" | "secret" | "none";
  /** Kinds of fields that it has; others become `text`, with a warning. */
  fields: readonly SignFieldType[];
  maxFileBytes: number;
}

/** What a notice is about. It is a hint: the state is asked for again, with the connection's credentials. */
export interface Notice {
  externalId: string;
  /** When the provider has one; a notice that was seen is ignored. */
  id?: string;
}

export interface RawNotice {
  body: Uint8Array;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  receivedAt: Date;
}

/** What the host hands to each call. */
export interface EsignContext<C> extends PlatformContext<C> {
  /**
   * For a provider that runs inside of the service: a folder of the connection's own, which outlives restarts. It is
   * made when it is asked for.
   */
  folder(): Promise<string>;
  /** Where people find the provider's `page` of this path, such as `sign/abc`. */
  pageAddress(path: string): string;
}

/** A visit of a page that the service shows for its provider. */
export interface PageVisit {
  method: "GET" | "POST";
  /** As it was handed to `pageAddress`. */
  path: string;
  /** Of a POST; fields that came more than once are left out. */
  form: Readonly<Record<string, string>>;
}

export interface ShownPage {
  status: number;
  mimeType: string;
  body: string | Uint8Array;
  /** What the visit has changed. */
  notice?: Notice;
}

/**
 * The host breaks what a provider could read as a tag (`{{…}}`) in every text of a request, hands over only fields,
 * values and settings that the capabilities name, and warns of the rest. All methods reject with PlatformError; anything
 * else counts as a fault of the plugin.
 */
export interface EsignProvider<C = unknown> {
  meta: PluginMeta & { kind: "esign" };
  credentials: { schema: SettingsSchema };
  capabilities: EsignCapabilities;
  rate: PlatformRate<C>;
  /** "Test the connection": says what is missing. */
  check(
    context: EsignContext<C>,
  ): Promise<{ account?: string; warnings?: string[] }>;
  /**
   * Never tried again by itself. `unavailable` says that the request may be there: the host asks `find`, and calls this
   * again only when that has told null. Any other code says that nothing has been sent to signers, and nothing will be.
   * What a failed call has left unsent, the next one takes up or removes.
   */
  start(
    context: EsignContext<C>,
    request: SignRequest,
  ): Promise<StartedRequest>;
  /** The request that an earlier `start` has left, by our id; null when there is none that was sent to its signers. */
  find(
    context: EsignContext<C>,
    requestId: string,
  ): Promise<StartedRequest | null>;
  /** @throws PlatformError `not_found` for one that is no longer there. */
  status(context: EsignContext<C>, externalId: string): Promise<RequestState>;
  /** Of a completed request; `unavailable` while its files are still being made. */
  download(context: EsignContext<C>, externalId: string): Promise<SignedFile[]>;
  /** One that is canceled already stays so. */
  cancel?(context: EsignContext<C>, externalId: string): Promise<void>;
  /** Reminds those who are to sign now. */
  resend?(context: EsignContext<C>, externalId: string): Promise<void>;
  /** Null: it is forged, too old, or not about a request. Calls nobody. */
  parseNotice(credentials: C, notice: RawNotice): Notice | null;
  /** Of a provider without a server of its own: shown under the service's address, without scripts, to anybody who asks. */
  page?(context: EsignContext<C>, visit: PageVisit): Promise<ShownPage>;
}
