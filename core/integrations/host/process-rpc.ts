import type { ChildProcess } from "node:child_process";
import { deserialize, serialize } from "node:v8";
import { type BirpcReturn, createBirpc } from "birpc";
import { z } from "zod";
import type { Log, OutFile, PlatformReply } from "../../plugin-api/index.js";

// What the service and the process of a plugin call of each other. Arguments and results are structured clones: bytes and
// dates arrive as they are, functions and classes do not.

/** What a process gets when it is started, as JSON. */
export interface ProcessSettings {
  /** The file: URL of the plugin's main module. */
  entry: string;
  /** The folder of files that the operator provides; see `fileAt`. */
  files: string | null;
  maxSilenceMs: number;
  maxMemoryMb: number;
}

/** The functions of a plugin's process. */
export interface PluginFunctions {
  /** @returns what the module exports as `plugin`, with `functionMark` in the place of each function. */
  load(): unknown;
  /**
   * @param method such as `check` or `changes.verify`
   * @param args without the context
   * @param context null for methods that get none
   */
  call(
    call: number,
    method: string,
    args: readonly unknown[],
    context: CallContext | null,
  ): unknown;
  abort(call: number, reason: unknown): void;
  /** Sends the request of the plugin whose turn has come. */
  send(request: number): Promise<void>;
}

/** The functions of the service, each for one running call. */
export interface ServiceFunctions {
  http(call: number, url: unknown, options: unknown): Promise<PlatformReply>;
  addressOf(call: number, host: unknown): Promise<string>;
  folder(call: number): Promise<string | undefined>;
  /** Waits for a turn, and has the process send `request` then. */
  turn(call: number, scope: unknown, request: number): Promise<void>;
  bytes(call: number, file: unknown): Promise<Uint8Array>;
  publicUrl(call: number, file: unknown, ttlSeconds: unknown): Promise<string>;
  /** @param call null for a line that belongs to no call */
  log(
    call: number | null,
    level: LogLevel,
    fields: object,
    message: string,
  ): void;
}

export type LogLevel = Exclude<keyof Log, "child">;

export interface CallContext {
  credentials: unknown;
  /** The URL below which the provider's pages are; null for platforms. */
  pages: string | null;
  /** The files of a call that writes; its arguments contain their indexes. */
  files: readonly FileEntry[];
}

interface FileEntry extends Omit<OutFile, "bytes" | "publicUrl"> {
  hasPublicUrl: boolean;
}

/** Stands for a function in the description of a plugin. */
export const functionMark = "\0function";

/**
 * Connects a side to the other one's functions. Errors arrive with their name, message, stack, causes and what the contract
 * reads of them.
 * @param maxBytes of one message; a result that is larger fails.
 */
export function connect<Remote extends object, Local extends object>(
  channel: Channel,
  functions: Local,
  { maxBytes = Infinity } = {},
): BirpcReturn<Remote, Local> {
  const send = channel.send?.bind(channel);
  return createBirpc<Remote, Local>(functions, {
    // A process that has ended says so by itself.
    post: (message: Uint8Array) => {
      if (channel.connected) send?.(message, () => undefined);
    },
    on: (receive) =>
      channel.on("message", (message: unknown) => {
        // Libraries announce with messages of their own that they are ready.
        Promise.resolve(receive(message)).catch(() => undefined);
      }),
    serialize: (message: { e?: unknown }) => {
      const bytes = serialize(
        "e" in message ? { ...message, e: encodeError(message.e) } : message,
      );
      if (bytes.length <= maxBytes) return bytes;
      throw new Error(
        `its result has ${bytes.length} bytes; the maximum is ${maxBytes}`,
      );
    },
    deserialize: (bytes: Uint8Array) => {
      const message: { e?: unknown } = deserialize(bytes);
      return "e" in message
        ? { ...message, e: decodeError(errorSchema.parse(message.e)) }
        : message;
    },
    resolver: (name, implementation) =>
      Object.hasOwn(functions, name) ? implementation : undefined,
    timeout: -1,
    // A result that cannot be sent becomes the error of its call.
    onGeneralError: (_error, called) => called !== undefined,
  });
}

interface Channel {
  connected: boolean;
  send?: ChildProcess["send"];
  on(event: "message", listener: (message: unknown) => void): unknown;
}

/** An error as a structured clone. */
interface EncodedError {
  name: string;
  message: string;
  stack: string | null;
  details: z.output<typeof detailsSchema>;
  cause: EncodedError | null;
}

const detailsSchema = z.object({
  code: z.union([z.string(), z.number()]).optional().catch(undefined),
  retryAfterMs: z.number().optional().catch(undefined),
  status: z.number().optional().catch(undefined),
  recordId: z.string().optional().catch(undefined),
  fieldId: z.string().optional().catch(undefined),
});

const errorSchema: z.ZodType<EncodedError> = z.object({
  name: z.string(),
  message: z.string(),
  stack: z.string().nullable(),
  details: detailsSchema,
  get cause() {
    return errorSchema.nullable();
  },
});

const maxCauses = 5;

function encodeError(thrown: unknown, depth = 0): EncodedError {
  if (!(thrown instanceof Error))
    return {
      name: typeof thrown,
      message: String(thrown),
      stack: null,
      details: {},
      cause: null,
    };
  const { cause, name, message, stack = null } = thrown;
  const hasCause = cause !== undefined && depth < maxCauses;
  return {
    name,
    message,
    stack,
    details: detailsSchema.parse(thrown),
    cause: hasCause ? encodeError(cause, depth + 1) : null,
  };
}

/** An error with the same name and details, by which a PlatformError is known. */
function decodeError(encoded: EncodedError): Error {
  const { name, message, stack, details } = encoded;
  const options = encoded.cause ? { cause: decodeError(encoded.cause) } : {};
  const error = new Error(message, options);
  Object.assign(error, details);
  Object.defineProperty(error, "name", { value: name, configurable: true });
  if (stack !== null) error.stack = stack;
  return error;
}

/** What is sent in the place of something thrown that is no error. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : decodeError(encodeError(thrown));
}
