import { AsyncLocalStorage } from "node:async_hooks";
import { writeFileSync, writeSync } from "node:fs";
import { Readable } from "node:stream";
import { serialize } from "node:v8";
import { Worker } from "node:worker_threads";
import { clock } from "../../lib/clock.js";
import type {
  DeliveryFile,
  EsignContext,
  Log,
  OutFile,
  PlatformContext,
  PlatformReply,
} from "../../plugin-api/index.js";
import { findOperatorFile, sendJson } from "./plugin-calls.js";
import { runningPlugin, type WatchdogSettings } from "./plugin-watchdog.js";
import {
  type CallContext,
  type CallMessage,
  type ContextRequest,
  decodeError,
  encodeError,
  type Evidence,
  fileArguments,
  type FromPlugin,
  functionMark,
  getPluginKey,
  type PluginModule,
  type ToPlugin,
} from "./process-messages.js";

// The plugin host: the program of the child process in which plugins from outside of the package run. It has no access
// to the database, the configuration or the secrets; requests, rate limits and files come from the service.

/** Given as JSON in the program's only argument. */
export interface HostSettings {
  /** The folder of files that the operator provides; see `fileAt`. */
  files: string | null;
  maxSilenceMs: number;
  maxLoadMs: number;
  maxMemoryMb: number;
}

/** What runs in an asynchronous context: a plugin, and the method of the call that it started in. */
interface Running {
  plugin: string;
  id: string;
  method: string;
}

/** The file descriptor of a pipe to the service; its last line says why the process ended. */
const evidenceFile = 4;
const beatMs = 100;
const maxLinesPerSecond = 100;
const maxLineLength = 10_000;
const maxResultBytes = 128 * 1024 * 1024;
/** So that a plugin which forgets to wait does not fill the service with requests. */
const maxOpenRequests = 1000;

const running = new AsyncLocalStorage<Running>();
/** Plugins must not use the channel by accident, as libraries do that announce to be ready. */
const sendMessage = process.send?.bind(process);

const modules = new Map<string, Promise<unknown>>();
const calls = new Map<number, AbortController>();
const requests = new Map<number, OpenRequest>();
let requestCount = 0;
let isDisconnected = false;

/** A request to the service that waits for its answer. */
interface OpenRequest {
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
  /** Sends the plugin's own request when its turn has come. */
  send?: () => Promise<unknown>;
  /** The result of the last `send`. */
  sent?: { value: unknown } | { thrown: unknown };
}

function main(): void {
  process.title = "platen-plugins";
  delete process.send;
  preferAsVictim();
  const settings = parseSettings(process.argv[2]);
  startWatchdog(settings);
  reportEnds();
  captureOutput();
  process.on("message", (message: unknown) => {
    if (isMessage(message)) receive(message, settings);
  });
  process.on("disconnect", () => {
    isDisconnected = true;
    process.exit(0);
  });
  // The service gets the same signals, and disconnects when its calls have ended.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => undefined);
}

/** When the machine runs out of memory, Linux ends this process rather than the service. */
function preferAsVictim(): void {
  try {
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // Other systems have no such file.
  }
}

function parseSettings(text = "{}"): HostSettings {
  // Only the service starts this program.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(text) as HostSettings;
}

function isMessage(value: unknown): value is ToPlugin {
  return typeof value === "object" && value !== null && "type" in value;
}

function post(message: FromPlugin): void {
  if (!isDisconnected) sendMessage?.(message);
}

function startWatchdog({ maxSilenceMs, maxMemoryMb }: HostSettings): void {
  const beats = new SharedArrayBuffer(4);
  const count = new Int32Array(beats);
  clock.watch(beatMs, () => Atomics.add(count, 0, 1));
  Reflect.set(globalThis, Symbol.for(runningPlugin), () => {
    const { plugin = null, method = null } = running.getStore() ?? {};
    return JSON.stringify({ plugin, method });
  });
  const workerData: WatchdogSettings = {
    beats,
    beatMs,
    maxSilenceMs,
    maxMemoryMb,
    evidence: evidenceFile,
  };
  // The thread's file has this file's extension: `.js` when built, `.ts` when tests run the sources.
  const extension = import.meta.url.slice(-3);
  const file = new URL(`./plugin-watchdog${extension}`, import.meta.url);
  new Worker(file, { workerData }).unref();
}

/** Says whose code ended the process, while that is still known. */
function reportEnds(): void {
  let isReported = false;
  const report = (reason: string) => {
    if (isReported || isDisconnected) return;
    isReported = true;
    const { plugin = null, method = null } = running.getStore() ?? {};
    const evidence: Evidence = { plugin, method, reason };
    writeSync(evidenceFile, `${JSON.stringify(evidence)}\n`);
  };
  process.on("uncaughtException", (error: unknown) => {
    const { name, message } = encodeError(error);
    report(`it threw outside of a call: ${name}: ${message}`.slice(0, 500));
    process.exit(1);
  });
  process.on("exit", (code) => report(`it called process.exit(${code})`));
  process.on("unhandledRejection", (error) => {
    log({}, "error", { err: error }, "unhandled rejection");
  });
}

/** What plugins write to stdout and stderr becomes lines of the service's log, with the name of the plugin. */
function captureOutput(): void {
  for (const [name, level] of [
    ["stdout", "info"],
    ["stderr", "warn"],
  ] as const) {
    const parts = new Map<string, string>();
    const write = (chunk: unknown, ...rest: unknown[]) => {
      const id = running.getStore()?.id ?? "";
      const text =
        typeof chunk === "string"
          ? chunk
          : chunk instanceof Uint8Array
            ? new TextDecoder().decode(chunk)
            : String(chunk);
      const lines = `${parts.get(id) ?? ""}${text}`.split("\n");
      const last = lines.pop() ?? "";
      parts.set(id, last.length < maxLineLength ? last : "");
      if (last.length >= maxLineLength) lines.push(last);
      for (const line of lines)
        if (line.trim() !== "") log({}, level, { output: name }, line);
      const callback = rest.at(-1);
      if (typeof callback === "function") process.nextTick(callback);
      return true;
    };
    Reflect.set(process[name], "write", write);
  }
}

/** The lines of this second, by plugin. */
const lineCounts = new Map<string, number>();
clock
  .watch(1000, () => {
    for (const [plugin, count] of lineCounts)
      if (count > maxLinesPerSecond)
        postLine({
          plugin,
          level: "warn",
          fields: {},
          message: `${count - maxLinesPerSecond} lines of this plugin were not logged: it may write ${maxLinesPerSecond} in a second`,
        });
    lineCounts.clear();
  })
  .unref();

type LogLevel = "debug" | "info" | "warn" | "error";
type LogLine = Omit<
  Extract<FromPlugin, { type: "log" }>,
  "type" | "call" | "plugin"
> & {
  plugin?: string;
  call?: number;
};

function log(
  { call, bound = {} }: { call?: number; bound?: object },
  level: LogLevel,
  fields: object,
  message: string,
): void {
  const plugin = running.getStore()?.id ?? "";
  const count = (lineCounts.get(plugin) ?? 0) + 1;
  lineCounts.set(plugin, count);
  if (count > maxLinesPerSecond) return;
  postLine({
    plugin,
    ...(call !== undefined && { call }),
    level,
    fields: toPlainFields({ ...bound, ...fields }),
    message: message.slice(0, maxLineLength),
  });
}

function postLine({ plugin = "", call, ...line }: LogLine): void {
  post({ type: "log", plugin, call: call ?? null, ...line });
}

/** Values that can be sent; errors as they are encoded. */
function toPlainFields(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]): [string, unknown] => {
      if (value instanceof Error) return [name, { error: encodeError(value) }];
      try {
        return [name, structuredClone(value)];
      } catch {
        return [name, String(value)];
      }
    }),
  );
}

function receive(message: ToPlugin, settings: HostSettings): void {
  if (message.type === "call") void run(message, settings);
  else if (message.type === "abort")
    calls.get(message.call)?.abort(decodeError(message.reason));
  else {
    const open = requests.get(message.request);
    if (open === undefined) return;
    if (message.type === "send") void sendOwn(message.request, open);
    else {
      requests.delete(message.request);
      if (message.type === "answer") open.resolve(message.value);
      else open.reject(getFailure(open, message));
    }
  }
}

function getFailure(
  { sent }: OpenRequest,
  { error, isOwn }: Extract<ToPlugin, { type: "failure" }>,
): unknown {
  return isOwn && sent && "thrown" in sent ? sent.thrown : decodeError(error);
}

async function sendOwn(request: number, open: OpenRequest): Promise<void> {
  try {
    open.sent = { value: await open.send?.() };
    post({ type: "sent", request, error: null });
  } catch (thrown) {
    open.sent = { thrown };
    post({ type: "sent", request, error: encodeError(thrown) });
  }
}

/** Runs a call, and sends its result. */
async function run(
  message: CallMessage,
  settings: HostSettings,
): Promise<void> {
  const { call, plugin, method } = message;
  const controller = new AbortController();
  calls.set(call, controller);
  const context = { plugin: getPluginKey(plugin), id: plugin.id, method };
  try {
    const value = await running.run(context, () =>
      invoke(message, controller.signal, settings),
    );
    post({ type: "done", call, value: serializeResult(value) });
  } catch (error) {
    post({ type: "failed", call, error: encodeError(error) });
  } finally {
    calls.delete(call);
    // Also cancels what the plugin did not wait for.
    controller.abort();
  }
}

/** @throws Error for a result that cannot be cloned, or that the service could not hold. */
function serializeResult(value: unknown): Uint8Array {
  const bytes = serialize(value);
  if (bytes.length <= maxResultBytes) return bytes;
  throw new Error(
    `its result has ${bytes.length} bytes; the maximum is ${maxResultBytes}`,
  );
}

async function invoke(
  { call, plugin: module, method, args, context }: CallMessage,
  signal: AbortSignal,
  settings: HostSettings,
): Promise<unknown> {
  if (method === "load")
    return describePlugin(await loadInTime(module, settings.maxLoadMs));
  const plugin = await loadModule(module);
  const [name, part] = method.split(".").toReversed();
  const owner: unknown =
    part === undefined ? plugin : Reflect.get(Object(plugin), part);
  const implementation: unknown = Reflect.get(Object(owner), name ?? "");
  if (typeof implementation !== "function")
    throw new TypeError(`the plugin has no method ${method}`);
  if (context === null) return Reflect.apply(implementation, owner, args);
  const own = createContext(call, context, signal, settings);
  const given = [...args];
  const at = fileArguments[method];
  if (context.files && at !== undefined)
    given[at] = putFiles(given[at], createFiles(call, context.files));
  return Reflect.apply(implementation, owner, [own, ...given]);
}

/** An argument with files in the places of their numbers. */
function putFiles(value: unknown, files: readonly OutFile[]): unknown {
  if (typeof value === "number") return files[value];
  if (Array.isArray(value)) return value.map((one) => putFiles(one, files));
  const { files: numbers, ...rest }: Record<string, unknown> = Object(value);
  return { ...rest, files: putFiles(numbers, files) };
}

/**
 * Stops waiting for a module that does not finish loading; the module itself cannot be stopped. The time is measured here,
 * where none passes while another plugin blocks this process, which then ends for it.
 */
async function loadInTime(module: PluginModule, ms: number): Promise<unknown> {
  const loading = loadModule(module);
  return new Promise((resolve, reject) => {
    const late = new Error(`it did not load within ${ms / 1000} s`);
    const timer = clock.limit(ms, () => reject(late));
    void loading.then(resolve, reject).finally(() => timer.cancel());
  });
}

function loadModule({ entry }: PluginModule): Promise<unknown> {
  const loading =
    modules.get(entry) ??
    import(entry).then((module: unknown): unknown =>
      Reflect.get(Object(module), "plugin"),
    );
  modules.set(entry, loading);
  return loading;
}

/** A copy of a plugin, with a mark in the place of each function. */
function describePlugin(plugin: unknown): unknown {
  if (typeof plugin !== "object" || plugin === null) return plugin ?? null;
  const names = [
    "meta",
    "credentials",
    "capabilities",
    "rate",
    "target",
    "authorization",
    "changes",
    ...pluginMethods,
  ];
  return Object.fromEntries(
    names
      .map((name) => [name, Reflect.get(plugin, name)] as const)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, copyPlain(value)]),
  );
}

const pluginMethods = [
  "check",
  "listBases",
  "describe",
  "fetchRows",
  "findRows",
  "listRows",
  "writeBack",
  "writeBackMany",
  "readAttachments",
  "toRootData",
  "deliver",
  "start",
  "find",
  "status",
  "download",
  "cancel",
  "resend",
  "parseNotice",
  "page",
] as const;

function copyPlain(value: unknown): unknown {
  if (typeof value === "function") return functionMark;
  if (Array.isArray(value)) return value.map(copyPlain);
  if (typeof value !== "object" || value === null) return value;
  const entries: [string, unknown][] = [];
  // Inherited ones too, such as those of a class.
  for (const name in value)
    entries.push([name, copyPlain(Reflect.get(value, name))]);
  return Object.fromEntries(entries);
}

function createContext(
  call: number,
  { credentials, pages }: CallContext,
  signal: AbortSignal,
  { files }: HostSettings,
): PlatformContext<unknown> & Partial<EsignContext<unknown>> {
  const http: PlatformContext<unknown>["http"] = async (
    url,
    { method, headers, body, bucket } = {},
  ) =>
    askFor<PlatformReply>(call, "http", [
      url,
      { method, headers, body, bucket },
    ]);
  return {
    credentials,
    signal,
    log: createLog({ call }),
    http,
    json: (url, request) => sendJson(http, url, request),
    turn: async <T>(scope: unknown, send: () => Promise<T>) =>
      askFor<T>(call, "turn", [scope], send),
    addressOf: async (host) => askFor<string>(call, "addressOf", [host]),
    fileAt: (name) => findOperatorFile(files ?? undefined, name),
    ...(pages !== null && {
      folder: async () => askFor<string>(call, "folder", []),
      pageAddress: (path: string) => pages + path,
    }),
  };
}

function createLog(owner: { call: number; bound?: object }): Log {
  const write = (level: LogLevel) => (fields: object, message: string) =>
    log(owner, level, fields, message);
  return {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    child: (fields) =>
      createLog({ ...owner, bound: { ...owner.bound, ...fields } }),
  };
}

function createFiles(
  call: number,
  files: NonNullable<CallContext["files"]>,
): DeliveryFile[] {
  return files.map(({ hasPublicUrl, ...file }, index) => {
    const bytes = async () => askFor<Uint8Array>(call, "bytes", [index]);
    return {
      ...file,
      bytes,
      open: async () => Readable.from([await bytes()]),
      ...(hasPublicUrl && {
        publicUrl: async (ttlSeconds: number) =>
          askFor<string>(call, "publicUrl", [index, ttlSeconds]),
      }),
    };
  });
}

/** Asks the service for something through the context of a call. @param send for `turn` */
function askFor<T>(
  call: number,
  name: ContextRequest,
  args: readonly unknown[],
  send?: () => Promise<T>,
): Promise<T> {
  if (requests.size >= maxOpenRequests)
    return Promise.reject(
      new Error(`more than ${maxOpenRequests} requests are waiting at once`),
    );
  requestCount += 1;
  const request = requestCount;
  return new Promise((resolve, reject) => {
    const open: OpenRequest = {
      // The service answers each request with what its name says, and a turn with the result of `send`.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      resolve: (value) => resolve((send ? getSent(open) : value) as T),
      reject,
      ...(send && { send }),
    };
    // Throws for arguments that cannot be cloned.
    post({ type: "request", request, call, name, args });
    requests.set(request, open);
  });
}

function getSent({ sent }: OpenRequest): unknown {
  return sent && "value" in sent ? sent.value : undefined;
}

main();
