import { PLATFORM_ERROR_CODES, PlatformError } from "../../plugin-api/index.js";

// What the service and the plugin host, a child process, send to each other. Messages are structured clones: bytes and
// dates arrive as they are, functions and classes do not.

/** A plugin from outside of the package. */
export interface PluginModule {
  kind: string;
  id: string;
  /** The file: URL of its main module. */
  entry: string;
}

/** A file to write, without its functions. */
export interface FileEntry {
  key: string;
  filename: string;
  contentType: string;
  sizeBytes: number;
  hasPublicUrl: boolean;
}

/** A call of a plugin's method. */
export interface CallMessage {
  type: "call";
  call: number;
  plugin: PluginModule;
  method: string;
  /** Without the context. */
  args: readonly unknown[];
  /** Null for methods that get no context. */
  context: CallContext | null;
}

export interface CallContext {
  credentials: unknown;
  /** The URL below which the provider's pages are; null for platforms. */
  pages: string | null;
  /** The files of a call that writes; its arguments contain their numbers. */
  files: readonly FileEntry[] | null;
}

export type ToPlugin =
  | CallMessage
  | { type: "abort"; call: number; reason: EncodedError }
  /** The answer to a request of the plugin. */
  | { type: "answer"; request: number; value: unknown }
  | {
      type: "failure";
      request: number;
      error: EncodedError;
      /** Whether it is the error with which the plugin's own `send` failed. */
      isOwn: boolean;
    }
  /** The turn of a request that the plugin sends itself has come. */
  | { type: "send"; request: number };

/** What plugins ask for through the context of a call. */
export type ContextRequest =
  "http" | "addressOf" | "folder" | "turn" | "bytes" | "publicUrl";

export type FromPlugin =
  /** `value` is serialized by `node:v8`. */
  | { type: "done"; call: number; value: Uint8Array }
  | { type: "failed"; call: number; error: EncodedError }
  | {
      type: "request";
      request: number;
      call: number;
      name: ContextRequest;
      args: readonly unknown[];
    }
  /** The plugin has sent the request whose turn it was; the error with which that failed, if it did. */
  | { type: "sent"; request: number; error: EncodedError | null }
  | {
      type: "log";
      /** Null for a line that belongs to no call. */
      call: number | null;
      plugin: string;
      level: "debug" | "info" | "warn" | "error";
      fields: Record<string, unknown>;
      message: string;
    };

/** The argument, counted without the context, of each method that gets files. */
export const fileArguments: Readonly<Record<string, number>> = {
  writeBack: 3,
  writeBackMany: 2,
  deliver: 0,
};

/** Stands for a function in the description of a plugin. */
export const functionMark = "\0function";

/** Why the plugin host ends, written by itself just before. */
export interface Evidence {
  /** `kind id`, as `getPluginKey` returns it; null when no plugin was running. */
  plugin: string | null;
  method: string | null;
  reason: string;
}

export function getPluginKey({ kind, id }: { kind: string; id: string }) {
  return `${kind} ${id}`;
}

/** An error as a structured clone, with what the contract reads of it. */
export interface EncodedError {
  name: string;
  message: string;
  stack: string | null;
  details: Partial<
    Record<
      "code" | "retryAfterMs" | "status" | "recordId" | "fieldId",
      string | number
    >
  >;
  cause: EncodedError | null;
  /** False when something else than an error was thrown; its type is the message then. */
  isError: boolean;
}

const detailNames = [
  "code",
  "retryAfterMs",
  "status",
  "recordId",
  "fieldId",
] as const;
const maxCauses = 5;

export function encodeError(thrown: unknown, depth = 0): EncodedError {
  if (!(thrown instanceof Error))
    return {
      name: typeof thrown,
      message: String(thrown),
      stack: null,
      details: {},
      cause: null,
      isError: false,
    };
  const details: EncodedError["details"] = {};
  for (const name of detailNames) {
    const value: unknown = Reflect.get(thrown, name);
    if (typeof value === "string" || typeof value === "number")
      details[name] = value;
  }
  const { cause, name, message, stack } = thrown;
  const hasCause = cause !== undefined && depth < maxCauses;
  return {
    name,
    message,
    stack: stack ?? null,
    details,
    cause: hasCause ? encodeError(cause, depth + 1) : null,
    isError: true,
  };
}

/** @returns a PlatformError if it was one, another error with the same name and details, or the text of what was thrown. */
export function decodeError(encoded: EncodedError): unknown {
  const { name, message, stack, details, isError } = encoded;
  if (!isError) return message;
  const cause = encoded.cause === null ? undefined : decodeError(encoded.cause);
  const code = PLATFORM_ERROR_CODES.find((one) => one === details.code);
  const error =
    name === "PlatformError" && code !== undefined
      ? new PlatformError(code, message, { cause, ...readDetails(details) })
      : Object.assign(
          new Error(message, cause === undefined ? {} : { cause }),
          details,
        );
  if (error.name !== name)
    Object.defineProperty(error, "name", { value: name, configurable: true });
  if (stack !== null) error.stack = stack;
  return error;
}

function readDetails({
  retryAfterMs,
  status,
  recordId,
  fieldId,
}: EncodedError["details"]) {
  return {
    ...(typeof retryAfterMs === "number" && { retryAfterMs }),
    ...(typeof status === "number" && { status }),
    ...(typeof recordId === "string" && { recordId }),
    ...(typeof fieldId === "string" && { fieldId }),
  };
}
