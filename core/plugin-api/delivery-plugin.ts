import type { Readable } from "node:stream";
import type {
  PluginAuthorization,
  OutFile,
  PlatformContext,
  PlatformRate,
} from "./platform-plugin.js";
import type { PluginMeta, SettingsSchema } from "./plugin.js";

// A delivery plugin takes the files of one document to where they are needed: a mailbox, a bucket, a folder. The host does
// everything else: expressions over the record, the body of a message, rate limits, retries, time limits, size limits, and
// a ledger of what was delivered.

/** A file to deliver. */
export interface DeliveryFile extends OutFile {
  /** Opens the content, each time from its start. */
  open(): Promise<Readable>;
}

/** What a person reads, for methods with `capabilities.message`. */
export interface DeliveryMessage {
  /** One line. */
  subject: string;
  text: string;
  html?: string;
  /** Images that the html shows as `cid:<id>`. */
  images?: readonly MessageImage[];
}

export interface MessageImage {
  id: string;
  filename: string;
  contentType: string;
  bytes: Uint8Array;
}

export interface DeliveryRequest {
  /** Identifies the delivery: the same in every attempt, and unique. */
  id: string;
  /** The properties that `target.schema` declares, with the values of their expressions. Texts may be empty. */
  target: Readonly<Record<string, unknown>>;
  /** With unique names. None for a message that only links to them. */
  files: readonly DeliveryFile[];
  /** Only with `capabilities.message`. */
  message?: DeliveryMessage;
}

/** What the other side said about a finished delivery. */
export interface DeliveryReceipt {
  /** For people who look for it there, such as a message id or an object's key. */
  id: string;
  url?: string;
  /** What was not done, such as an address that was not accepted; in sentences. */
  warnings?: string[];
}

export interface DeliveryCapabilities {
  /** The most bytes of all files of a delivery together. */
  maxBytes: number;
  /**
   * Whether a delivery may be repeated without harm: the same request leads to the same object. Otherwise `unavailable`
   * means that it may have arrived, and the host asks a person before it sends it again.
   */
  repeatable: boolean;
  /** Whether it takes a message beside the files. */
  message: boolean;
}

/** All methods reject with PlatformError; any other error is reported as a bug of the plugin. */
export interface DeliveryPlugin<C = unknown> {
  meta: PluginMeta & { kind: "delivery" };
  credentials: { schema: SettingsSchema };
  /**
   * Where one delivery goes: a JSON Schema of an object. Its texts may contain expressions, unless they have an `enum`, and
   * are checked against it before these are evaluated. The host has properties of its own, which it must not declare:
   * `connection`, `formats`, `filename`, and with `capabilities.message` `subject`, `body`, `template` and `files`.
   */
  target: { schema: SettingsSchema };
  capabilities: DeliveryCapabilities;
  rate: PlatformRate<C>;
  authorization?: PluginAuthorization<C>;
  /** Tests the connection. Its errors and warnings say what is missing. */
  check(
    context: PlatformContext<C>,
  ): Promise<{ account?: string; warnings?: string[] }>;
  /**
   * Called once for each attempt. `try_later` means that nothing was delivered and a later attempt may succeed;
   * `unavailable`, that this is unknown: see `capabilities.repeatable`. Any other code means that nothing was delivered,
   * and nothing will be until a person changes something.
   */
  deliver(
    context: PlatformContext<C>,
    request: DeliveryRequest,
  ): Promise<DeliveryReceipt>;
}
