import { writeFileSync } from "node:fs";
import { Readable } from "node:stream";
import { Worker } from "node:worker_threads";
import { clock } from "../../lib/clock.js";
import type {
  DeliveryFile,
  EsignContext,
  Log,
  OutFile,
  PlatformContext,
} from "../../plugin-api/index.js";
import { findOperatorFile, sendJson } from "./call-context.js";
import { pluginMethods } from "./plugin-methods.js";
import type { WatchdogSettings } from "./plugin-watchdog.js";
import {
  type CallContext,
  connect,
  functionMark,
  type LogLevel,
  type PluginFunctions,
  type ProcessSettings,
  type ServiceFunctions,
  toError,
} from "./process-rpc.js";

// The program of a plugin's process. It has no access to the database, the configuration or the secrets; requests, rate
// limits and files come from the service.

const beatMs = 100;
const maxLinesPerSecond = 100;
const maxLineLength = 10_000;
const maxResultBytes = 128 * 1024 * 1024;
/** So that a plugin which forgets to wait does not fill the service with requests. */
const maxOpenRequests = 1000;

// Only the service starts this program.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const settings = JSON.parse(process.argv[2] ?? "") as ProcessSettings;

const calls = new Map<number, AbortController>();
/** What plugins send themselves when their turn has come, by the number of the request. */
const turns = new Map<number, () => Promise<void>>();
let turnCount = 0;
let openRequests = 0;

const functions: PluginFunctions = {
  load: async () => describePlugin(await loadPlugin()),
  call: runCall,
  abort: (call, reason) => calls.get(call)?.abort(reason),
  send: async (request) => turns.get(request)?.(),
};
const service = connect<ServiceFunctions, PluginFunctions>(process, functions, {
  maxBytes: maxResultBytes,
});
// Plugins must not use the channel by accident, as libraries do that announce to be ready.
delete process.send;

process.title = "platen-plugin";
preferAsVictim();
startWatchdog();
limitOutput();
process.on("disconnect", () => process.exit(0));
process.on("unhandledRejection", (error) => {
  log(null, "error", { err: error }, "unhandled rejection");
});
// The service gets the same signals, and disconnects when its calls have ended.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => undefined);

/** When the machine runs out of memory, Linux ends this process rather than the service. */
function preferAsVictim(): void {
  try {
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // Other systems have no such file.
  }
}

function startWatchdog(): void {
  const { maxSilenceMs, maxMemoryMb } = settings;
  const beats = new SharedArrayBuffer(4);
  const count = new Int32Array(beats);
  clock.watch(beatMs, () => Atomics.add(count, 0, 1));
  const workerData: WatchdogSettings = {
    beats,
    beatMs,
    maxSilenceMs,
    maxMemoryMb,
  };
  // The thread's file has this file's extension: `.js` when built, `.ts` when tests run the sources.
  const extension = import.meta.url.slice(-3);
  const file = new URL(`./plugin-watchdog${extension}`, import.meta.url);
  new Worker(file, { workerData }).unref();
}

/** What was logged, and written to stdout and stderr, in this second. */
let lineCount = 0;

function mayWriteLine(): boolean {
  lineCount += 1;
  return lineCount <= maxLinesPerSecond;
}

/** A plugin that writes without end must not keep the service busy. */
function limitOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream);
    Reflect.set(stream, "write", (...args: Parameters<typeof write>) => {
      if (mayWriteLine()) return write(...args);
      const callback = args.at(-1);
      if (typeof callback === "function") process.nextTick(callback);
      return true;
    });
  }
  clock
    .watch(1000, () => {
      const count = lineCount - maxLinesPerSecond;
      lineCount = 0;
      if (count > 0)
        log(
          null,
          "warn",
          {},
          `${count} lines of this plugin were not logged: it may write ${maxLinesPerSecond} in a second`,
        );
    })
    .unref();
}

function log(
  call: number | null,
  level: LogLevel,
  fields: object,
  message: string,
): void {
  if (!mayWriteLine()) return;
  const text = message.slice(0, maxLineLength);
  void service.log.asEvent(call, level, toPlainFields(fields), text);
}

/** Values that can be sent. */
function toPlainFields(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]): [string, unknown] => {
      try {
        return [name, structuredClone(value)];
      } catch {
        return [name, String(value)];
      }
    }),
  );
}

async function runCall(
  call: number,
  method: string,
  args: readonly unknown[],
  context: CallContext | null,
): Promise<unknown> {
  const controller = new AbortController();
  calls.set(call, controller);
  try {
    const plugin = await loadPlugin();
    const [name = "", part] = method.split(".").toReversed();
    const owner: unknown =
      part === undefined ? plugin : Reflect.get(Object(plugin), part);
    const implementation: unknown = Reflect.get(Object(owner), name);
    if (typeof implementation !== "function")
      throw new TypeError(`the plugin has no method ${method}`);
    if (context === null)
      return await Reflect.apply(implementation, owner, args);
    const given = [...args];
    const at = pluginMethods.get(method)?.filesAt ?? null;
    if (at !== null)
      given[at] = putFiles(given[at], createFiles(call, context.files));
    const callContext = createContext(call, context, controller.signal);
    return await Reflect.apply(implementation, owner, [callContext, ...given]);
  } catch (thrown) {
    throw toError(thrown);
  } finally {
    calls.delete(call);
    // Also cancels what the plugin did not wait for.
    controller.abort();
  }
}

/** An argument with files in the places of their indexes. */
function putFiles(value: unknown, files: readonly OutFile[]): unknown {
  if (typeof value === "number") return files[value];
  if (Array.isArray(value)) return value.map((item) => putFiles(item, files));
  const { files: indexes, ...rest }: Record<string, unknown> = Object(value);
  return { ...rest, files: putFiles(indexes, files) };
}

async function loadPlugin(): Promise<unknown> {
  const module: unknown = await import(settings.entry);
  return Reflect.get(Object(module), "plugin");
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
    ...pluginMethods.keys(),
  ];
  return Object.fromEntries(
    names
      .map((name) => [name, Reflect.get(plugin, name)] as const)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, copyPlain(value)]),
  );
}

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
): PlatformContext<unknown> & Partial<EsignContext<unknown>> {
  const http: PlatformContext<unknown>["http"] = async (
    url,
    { method, headers, body, bucket } = {},
  ) =>
    askService(() =>
      service.http(call, url, { method, headers, body, bucket }),
    );
  return {
    credentials,
    signal,
    log: createLog(call),
    http,
    json: (url, options) => sendJson(http, url, options),
    turn: (scope, send) => takeTurn(call, scope, send),
    addressOf: async (host) => askService(() => service.addressOf(call, host)),
    fileAt: (name) => findOperatorFile(settings.files ?? undefined, name),
    ...(pages !== null && {
      folder: async () => (await askService(() => service.folder(call))) ?? "",
      pageAddress: (path: string) => pages + path,
    }),
  };
}

async function askService<T>(send: () => Promise<T>): Promise<T> {
  if (openRequests >= maxOpenRequests)
    throw new Error(
      `more than ${maxOpenRequests} requests are waiting at once`,
    );
  openRequests += 1;
  try {
    return await send();
  } finally {
    openRequests -= 1;
  }
}

/** @returns the result of `send`. @throws its error as it is when it was the last to fail. */
async function takeTurn<T>(
  call: number,
  scope: unknown,
  send: () => Promise<T>,
): Promise<T> {
  turnCount += 1;
  const number = turnCount;
  let sent: { value: T } | { thrown: unknown } | undefined;
  turns.set(number, async () => {
    try {
      sent = { value: await send() };
    } catch (thrown) {
      sent = { thrown };
      throw toError(thrown);
    }
  });
  try {
    await askService(() => service.turn(call, scope, number));
  } catch (error) {
    throw sent && "thrown" in sent ? sent.thrown : error;
  } finally {
    turns.delete(number);
  }
  if (sent && "value" in sent) return sent.value;
  throw new Error("the service had a turn without its request");
}

function createLog(call: number, bound: object = {}): Log {
  const write = (level: LogLevel) => (fields: object, message: string) =>
    log(call, level, { ...bound, ...fields }, message);
  return {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    child: (fields) => createLog(call, { ...bound, ...fields }),
  };
}

function createFiles(
  call: number,
  files: CallContext["files"],
): DeliveryFile[] {
  return files.map(({ hasPublicUrl, ...file }, index) => {
    const bytes = async () => askService(() => service.bytes(call, index));
    return {
      ...file,
      bytes,
      open: async () => Readable.from([await bytes()]),
      ...(hasPublicUrl && {
        publicUrl: async (ttlSeconds: number) =>
          askService(() => service.publicUrl(call, index, ttlSeconds)),
      }),
    };
  });
}
