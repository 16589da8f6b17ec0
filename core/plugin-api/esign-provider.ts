import type { PlatformContext, PlatformRate } from "./platform-plugin.js";
import type { PluginMeta, SettingsSchema } from "./plugin.js";
import type { SignFieldType } from "./definition.js";

// A provider plugin sends a signature request to its service and reports its state. The host does everything else: storing
// the request, retries, polling, time limits, and storing the signed file.

/** A box on a page that a signer fills in. */
export interface FieldBox {
  /** Unique within the request. */
  id: string;
  /** The name in the template. Boxes with the same name and role are one field. */
  name: string;
  role: string;
  type: SignFieldType;
  required: boolean;
  options?: readonly string[];
  /** From 1. */
  page: number;
  /** Fractions of the page's width and height, 0 to 1, from its top left corner. */
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface Submitter {
  role: string;
  email: string;
  name?: string;
  /** From 0, without gaps. Equal numbers sign in parallel, greater ones after smaller ones. */
  order: number;
  /** Prefilled values, by the names of the fields. */
  values?: Readonly<Record<string, unknown>>;
}

export interface SignRequest {
  /** Platen's id, the same in every attempt. `find` searches for it. */
  requestId: string;
  title: string;
  expiresAt?: Date;
  pdf: { name: string; bytes: Uint8Array; pages: number };
  fields: readonly FieldBox[];
  submitters: readonly Submitter[];
  message?: { subject?: string; body?: string };
  /** An http or https address to which signers return after they have signed. */
  redirectUrl?: string;
}

export const SIGNER_STATUSES = [
  "waiting",
  "sent",
  "opened",
  "completed",
  "declined",
] as const;
export type SignerStatus = (typeof SIGNER_STATUSES)[number];

/** A submitter as the provider reports it. */
export interface Signer {
  role: string;
  externalId?: string;
  /** Where the signer signs, if the provider reveals it. */
  url?: string;
  status: SignerStatus;
  /** The reason of a signer who declined. */
  reason?: string;
}

export interface StartedRequest {
  externalId: string;
  signers: Signer[];
  /** What the provider does not support, as messages for users. */
  warnings?: string[];
}

export interface RequestState extends StartedRequest {
  status: "pending" | "completed" | "declined" | "expired" | "canceled";
}

/** A file of a completed request, which the host stores as an output with this label. */
export interface SignedFile {
  label: "signed" | "audit";
  mimeType: string;
  bytes: Uint8Array;
}

export interface EsignCapabilities {
  /** Whether signers can sign one after the other. */
  order: boolean;
  values: boolean;
  /** `days`: in whole days, rounded up. */
  expiry: "instant" | "days" | "none";
  message: boolean;
  /** Whether signers return to an address after signing; false when left out. */
  redirect?: boolean;
  cancel: boolean;
  resend: boolean;
  /** How a notice proves its origin: by an HMAC over its body, by a shared secret in a header, or not at all. */
  noticeProof: "hmac" | "secret" | "none";
  /** The supported types of fields. Others become `text`, with a warning. */
  fields: readonly SignFieldType[];
  maxFileBytes: number;
}

/** The subject of a webhook. It is only a hint: the host reads the state with the connection's credentials. */
export interface Notice {
  externalId: string;
  /** The provider's id of the notice, if it has one. Notices with a known id are ignored. */
  id?: string;
}

export interface RawNotice {
  body: Uint8Array;
  /** Names are in lower case. */
  headers: Readonly<Record<string, string>>;
  receivedAt: Date;
}

/** The context of each call. */
export interface EsignContext<C> extends PlatformContext<C> {
  /**
   * A persistent folder of the connection, for a provider that runs inside the service. Created by the first call.
   */
  folder(): Promise<string>;
  /** The public URL at which `page` serves this path, such as `sign/abc`. */
  pageAddress(path: string): string;
}

/** A request for a page of the provider. */
export interface PageVisit {
  method: "GET" | "POST";
  /** As passed to `pageAddress`. */
  path: string;
  /** The fields of a POST, without those that occur more than once. */
  form: Readonly<Record<string, string>>;
}

export interface ShownPage {
  status: number;
  mimeType: string;
  body: string | Uint8Array;
  /** The request that the visit has changed. */
  notice?: Notice;
}

/**
 * The host escapes `{{…}}`, which a provider could read as a tag, in every text of a request. It passes only fields,
 * values and settings that the capabilities support, and warns about the rest. All methods reject with PlatformError;
 * any other error is reported as a bug of the plugin.
 */
export interface EsignProvider<C = unknown> {
  meta: PluginMeta & { kind: "esign" };
  credentials: { schema: SettingsSchema };
  capabilities: EsignCapabilities;
  rate: PlatformRate<C>;
  /** Tests the connection. Its errors and warnings say what is missing. */
  check(
    context: EsignContext<C>,
  ): Promise<{ account?: string; warnings?: string[] }>;
  /**
   * The host does not simply retry it. `unavailable` means that the request may exist: the host calls `find`, and calls
   * this again only when that returns null. Any other code means that nothing was sent to signers, and nothing will be.
   * A call continues or removes what an earlier one has left unsent.
   */
  start(
    context: EsignContext<C>,
    request: SignRequest,
  ): Promise<StartedRequest>;
  /** The request that an earlier `start` created, by `requestId`; null when none was sent to its signers. */
  find(
    context: EsignContext<C>,
    requestId: string,
  ): Promise<StartedRequest | null>;
  /** @throws PlatformError `not_found` for a request that no longer exists. */
  status(context: EsignContext<C>, externalId: string): Promise<RequestState>;
  /** The files of a completed request. @throws PlatformError `unavailable` while they are being created. */
  download(context: EsignContext<C>, externalId: string): Promise<SignedFile[]>;
  /** Succeeds for a request that is already canceled. */
  cancel?(context: EsignContext<C>, externalId: string): Promise<void>;
  /** Reminds the signers whose turn it is. */
  resend?(context: EsignContext<C>, externalId: string): Promise<void>;
  /** Returns null for a notice that is forged, too old, or not about a request. Sends no requests. */
  parseNotice(credentials: C, notice: RawNotice): Notice | null;
  /** Serves pages of a provider without its own server. They are public, at the service's address, and run no scripts. */
  page?(context: EsignContext<C>, visit: PageVisit): Promise<ShownPage>;
}
