import type { PlatformContext } from "./platform-plugin.js";
import type { PluginMeta, SettingsSchema } from "./plugin.js";

// A provider plugin turns one request into its service's calls and tells what became of it. The host does everything
// else, once for all providers: the request's row, attempts, polling, time limits, and where the signed file goes.

export const SIGN_FIELD_TYPES = [
  "signature",
  "initials",
  "date",
  "text",
  "checkbox",
  "select",
  "number",
  "image",
  "stamp",
] as const;
export type SignFieldType = (typeof SIGN_FIELD_TYPES)[number];

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

/**
 * All methods reject with PlatformError; anything else counts as a fault of the plugin. What `start` rejects with
 * decides whether it is tried again: after `unavailable` the host asks `find` first, for the request may be there.
 */
export interface EsignProvider<C = unknown> {
  meta: PluginMeta & { kind: "esign" };
  credentials: { schema: SettingsSchema };
  capabilities: EsignCapabilities;
  /** As `PlatformRate`: calls with the same key share one limit. */
  rate: {
    key(credentials: C): string;
    maxPerSecond?: number;
    maxPerMinute?: number;
    maxInFlight: number;
    cooldownMs?: number;
  };
  check(
    context: PlatformContext<C>,
  ): Promise<{ account?: string; warnings?: string[] }>;
  /** Never tried again by itself. */
  start(
    context: PlatformContext<C>,
    request: SignRequest,
  ): Promise<StartedRequest>;
  /** The request that an earlier `start` has left, by our id; null when there is none. */
  find(
    context: PlatformContext<C>,
    requestId: string,
  ): Promise<StartedRequest | null>;
  /** @throws PlatformError `not_found` for one that is no longer there. */
  status(
    context: PlatformContext<C>,
    externalId: string,
  ): Promise<RequestState>;
  /** Of a completed request. */
  download(
    context: PlatformContext<C>,
    externalId: string,
  ): Promise<SignedFile[]>;
  cancel?(context: PlatformContext<C>, externalId: string): Promise<void>;
  /** Reminds those who are to sign now. */
  resend?(context: PlatformContext<C>, externalId: string): Promise<void>;
  /** Null: it is forged, too old, or not about a request. Calls nobody. */
  parseNotice(credentials: C, notice: RawNotice): Notice | null;
}
