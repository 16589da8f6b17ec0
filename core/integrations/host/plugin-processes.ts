import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { deserialize } from "node:v8";
import { z } from "zod";
import { clock } from "../../lib/clock.js";
import {
  type DeliveryRequest,
  type EsignContext,
  type Log,
  type OutFile,
  PlatenError,
  type PlatformContext,
  PlatformError,
  type RecordFiles,
} from "../../plugin-api/index.js";
import { createPluginBug, findPlatformError } from "./plugin-calls.js";
import {
  type FailureStatus,
  MAX_PLUGIN_FAILURES,
  type PluginFailures,
} from "./plugin-failures.js";
import type { HostSettings } from "./plugin-process.js";
import {
  type CallContext,
  decodeError,
  encodeError,
  type EncodedError,
  fileArguments,
  functionMark,
  getPluginKey,
  type PluginModule,
  type ToPlugin,
} from "./process-messages.js";

type Environment = Readonly<Record<string, string>>;

interface PluginProcessesOptions {
  /** The folder of files that the operator provides to connections. */
  files: string | null;
  failures: PluginFailures;
  /** The environment variables that plugins may see. */
  environment: Environment;
  log: Log;
  /** How long a plugin may compute without a pause. Default 5 s. */
  maxSilenceMs?: number;
  /** How long a module may take to load. Default 10 s. */
  maxLoadMs?: number;
  /** Default 768 MB. */
  maxMemoryMb?: number;
}

/** The pause before the plugin host is started again, doubled with each end. */
const firstRestartMs = 250;
const maxRestartMs = 2000;
/** After so long without an end, the next one counts as the first. */
const calmMs = 60_000;

type AnyContext = PlatformContext<unknown> & Partial<EsignContext<unknown>>;

/**
 * Runs plugins from outside of the package together in one child process, the plugin host, which is started by the first
 * call. A plugin that ends or blocks it is named in the log, and is not called any more after the third time. When it is
 * unknown which plugin did, each that was running gets a process of its own.
 */
export class PluginProcesses {
  /** The processes of plugins that run apart, by plugin; that of all others has no plugin. */
  private readonly slots = new Map<string | null, ProcessSlot>();
  private readonly apart = new Set<string>();
  private isStopped = false;

  constructor(private readonly options: PluginProcessesOptions) {}

  get failures(): PluginFailures {
    return this.options.failures;
  }

  /**
   * Loads a plugin, again when another plugin ended the plugin host meanwhile.
   * @returns what its module exports as `plugin`, not validated; its methods run in the plugin host.
   * @throws the error with which its module failed.
   */
  async load(plugin: PluginModule): Promise<unknown> {
    for (;;)
      try {
        return createProxy(
          await this.call(plugin, "load", [], null),
          (method, args, context) => this.call(plugin, method, args, context),
        );
      } catch (error) {
        const isRepeatable = findPlatformError(error)?.code === "unavailable";
        if (!isRepeatable || this.isStopped) throw error;
      }
  }

  /** Ends all processes. Calls that are running fail. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all([...this.slots.values()].map((slot) => slot.stop()));
  }

  private async call(
    plugin: PluginModule,
    method: string,
    args: readonly unknown[],
    context: AnyContext | null,
  ): Promise<unknown> {
    const failure = await this.failures.find(plugin);
    if (failure?.isDisabled)
      throw new PlatenError(
        "unavailable",
        `The plugin ${plugin.id} cannot be used. ${describeFailure(plugin.id, failure)}`,
      );
    if (this.isStopped) throw createStopping();
    const key = getPluginKey(plugin);
    const slot = this.getSlot(this.apart.has(key) ? key : null);
    const process = await slot.getProcess();
    try {
      return await process.call(plugin, method, args, context);
    } catch (error) {
      if (!(error instanceof ProcessEnded)) throw error;
      // The verdict is known, and recorded, before anything is repeated.
      const guilty = await slot.verdict;
      throw guilty === key
        ? createPluginBug({ id: plugin.id, method }, error.message, error)
        : new PlatformError(
            "unavailable",
            "the plugin host had to be started again while this was running. Try again.",
            { cause: error },
          );
    }
  }

  private getSlot(key: string | null): ProcessSlot {
    const { maxSilenceMs = 5000, maxLoadMs = 10_000 } = this.options;
    const { files, maxMemoryMb = 768, environment, log } = this.options;
    const settings = { files, maxSilenceMs, maxLoadMs, maxMemoryMb };
    const slot =
      this.slots.get(key) ??
      new ProcessSlot(
        (onEnd) =>
          new PluginProcess(startChild(settings, environment), log, onEnd),
        (end) => this.judge(end),
      );
    this.slots.set(key, slot);
    return slot;
  }

  /** Names the plugin that ended a process. @returns its key; null when it is unknown. */
  private async judge(end: ProcessEnd): Promise<string | null> {
    if (this.isStopped) return null;
    const { log } = this.options;
    const { evidence, reason, loaded, running } = end;
    const known = loaded.find((one) => getPluginKey(one) === evidence?.plugin);
    const [only] = loaded;
    const guilty = known ?? (loaded.length === 1 ? only : undefined);
    if (guilty === undefined) {
      const suspects = running.length > 0 ? running : loaded;
      for (const one of suspects) this.apart.add(getPluginKey(one));
      const plugins = suspects.map(({ id }) => id);
      log.error(
        { plugins, reason },
        "the plugin host ended, and it is unknown which plugin ended it: from now on, each of these runs in a process of its own",
      );
      return null;
    }
    const { kind, id } = guilty;
    const call = evidence?.method ?? null;
    try {
      const { count, isDisabled } = await this.failures.record(guilty, reason);
      log.error(
        { plugin: id, kind, call, reason, count },
        isDisabled
          ? `the plugin ${id} ended the plugin host ${count} times and is disabled: ${reason}`
          : `the plugin ${id} ended the plugin host: ${reason}`,
      );
    } catch (error) {
      log.error(
        { err: error, plugin: id, kind, call, reason },
        `the plugin ${id} ended the plugin host, which could not be recorded: ${reason}`,
      );
    }
    return getPluginKey(guilty);
  }
}

/** Why a plugin that failed is not called, and how to call it again. */
export function describeFailure(
  id: string,
  { reason, failedAt }: FailureStatus,
): string {
  return `It is disabled because it ended the plugin host ${MAX_PLUGIN_FAILURES} times, the last time at ${failedAt.toISOString()}: ${reason}. Update it or tell its author; then run \`platen plugin enable ${id}\`.`;
}

/** Keeps one process running, from the first call on. */
class ProcessSlot {
  private process: PluginProcess | null = null;
  private ends = 0;
  private restartAt = 0;
  private isStopped = false;
  /** The key of the plugin that ended the last process; null when it is unknown. */
  verdict: Promise<string | null> = Promise.resolve(null);

  constructor(
    private readonly start: (onEnd: (end: ProcessEnd) => void) => PluginProcess,
    private readonly judge: (end: ProcessEnd) => Promise<string | null>,
  ) {}

  /** The running process; waits until one may be started again. */
  async getProcess(): Promise<PluginProcess> {
    for (;;) {
      if (this.process !== null) return this.process;
      if (this.isStopped) throw createStopping();
      const wait = this.restartAt - clock.now();
      if (wait <= 0) break;
      await clock.sleep(wait);
    }
    const startedAt = clock.now();
    const process = this.start((end) => {
      this.process = null;
      this.ends = clock.now() - startedAt > calmMs ? 1 : this.ends + 1;
      const pause = firstRestartMs * 2 ** (this.ends - 1);
      this.restartAt = clock.now() + clock.pause(Math.min(maxRestartMs, pause));
      this.verdict = this.judge(end);
    });
    this.process = process;
    return process;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.process?.stop();
  }
}

function createStopping(): PlatformError {
  return new PlatformError("unavailable", "The service is stopping.");
}

/** How a process ended. */
interface ProcessEnd {
  evidence: { plugin: string | null; method: string | null } | null;
  /** Such as `it called process.exit(1)`. */
  reason: string;
  /** The plugins that were called in it, and those whose calls had not ended. */
  loaded: PluginModule[];
  running: PluginModule[];
}

/** A call failed because its process ended. The message is the reason. */
class ProcessEnded extends Error {}

const evidenceSchema = z.object({
  plugin: z.string().nullable(),
  method: z.string().nullable(),
  reason: z.string(),
});

const errorSchema: z.ZodType<EncodedError> = z.object({
  name: z.string(),
  message: z.string(),
  stack: z.string().nullable(),
  details: z.record(z.string(), z.union([z.string(), z.number()])),
  get cause() {
    return errorSchema.nullable();
  },
  isError: z.boolean(),
});

const messageSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("done"),
    call: z.number(),
    value: z.instanceof(Uint8Array),
  }),
  z.object({ type: z.literal("failed"), call: z.number(), error: errorSchema }),
  z.object({
    type: z.literal("request"),
    request: z.number(),
    call: z.number(),
    name: z.enum(["http", "addressOf", "folder", "turn", "bytes", "publicUrl"]),
    args: z.array(z.unknown()),
  }),
  z.object({
    type: z.literal("sent"),
    request: z.number(),
    error: errorSchema.nullable(),
  }),
  z.object({
    type: z.literal("log"),
    call: z.number().nullable(),
    plugin: z.string(),
    level: z.enum(["debug", "info", "warn", "error"]),
    fields: z.record(z.string(), z.unknown()),
    message: z.string(),
  }),
]);
type Message = z.output<typeof messageSchema>;

const httpArguments = z.tuple([
  z.string(),
  z
    .object({
      method: z.string().exactOptional(),
      headers: z
        .record(z.string(), z.unknown())
        .transform(toHeaders)
        .exactOptional(),
      body: z.union([z.string(), z.instanceof(Uint8Array)]).exactOptional(),
      bucket: z.string().exactOptional(),
    })
    .optional(),
]);
const hostArguments = z.tuple([z.string()]);
const turnArguments = z.tuple([
  z.object({
    baseId: z.string().exactOptional(),
    tableId: z.string().exactOptional(),
  }),
]);
const bytesArguments = z.tuple([z.number()]);
const publicUrlArguments = z.tuple([z.number(), z.number()]);

interface RunningCall {
  plugin: PluginModule;
  context: AnyContext | null;
  files: readonly OutFile[];
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
}

/** The heap's limit is above that of the process, which is checked ten times a second. */
const heapShare = 1.5;

/** One child process, and the calls that run in it. */
class PluginProcess {
  private readonly calls = new Map<number, RunningCall>();
  private readonly loaded = new Map<string, PluginModule>();
  /** The turns that wait until the plugin has sent its request. */
  private readonly turns = new Map<number, (error: unknown) => void>();
  private callCount = 0;
  private evidence: z.output<typeof evidenceSchema> | null = null;
  private lastError = "";
  private readonly ended: Promise<void>;

  constructor(
    private readonly child: ChildProcess,
    private readonly log: Log,
    private readonly onEnd: (end: ProcessEnd) => void,
  ) {
    this.readOutput();
    this.child.on("message", (message: unknown) => this.receive(message));
    this.ended = new Promise((resolve) => {
      let hasEnded = false;
      const end = (reason: string) => {
        if (hasEnded) return;
        hasEnded = true;
        this.end(reason);
        resolve();
      };
      this.child.once("error", (error) => end(`it failed: ${error.message}`));
      this.child.once("exit", (code, signal) => {
        // What the process wrote last may still be in its pipes, which a process that it has started may keep open.
        const finish = () => {
          timer.cancel();
          end(this.getReason(code, signal));
        };
        const timer = clock.limit(1000, finish);
        this.child.once("close", finish);
      });
    });
    this.setReferenced(false);
  }

  call(
    plugin: PluginModule,
    method: string,
    args: readonly unknown[],
    context: AnyContext | null,
  ): Promise<unknown> {
    this.loaded.set(getPluginKey(plugin), plugin);
    this.callCount += 1;
    const call = this.callCount;
    const { files, sent } = takeFiles(method, args);
    context?.signal.addEventListener("abort", () => {
      if (this.calls.has(call)) this.abort(call, context.signal.reason);
    });
    this.setReferenced(true);
    return new Promise((resolve, reject) => {
      this.calls.set(call, {
        plugin,
        context,
        files: files ?? [],
        resolve,
        reject,
      });
      this.post({
        type: "call",
        call,
        plugin,
        method,
        args: sent,
        context: context && toCallContext(context, files),
      });
    });
  }

  /** Ends a call whose plugin may never end it. */
  private abort(call: number, reason: unknown): void {
    this.post({ type: "abort", call, reason: encodeError(reason) });
    this.take(call)?.reject(reason);
  }

  private take(call: number): RunningCall | undefined {
    const running = this.calls.get(call);
    this.calls.delete(call);
    if (this.calls.size === 0) this.setReferenced(false);
    return running;
  }

  async stop(): Promise<void> {
    this.setReferenced(true);
    this.child.kill("SIGKILL");
    await this.ended;
  }

  private post(message: ToPlugin): void {
    // A process that has ended says so by itself.
    if (this.child.connected) this.child.send(message, () => undefined);
  }

  /** Whether the service stays alive for this process: only while calls are running. */
  private setReferenced(isReferenced: boolean): void {
    const { child } = this;
    if (isReferenced) {
      child.ref();
      child.channel?.ref();
    } else {
      child.unref();
      child.channel?.unref();
    }
  }

  private readOutput(): void {
    const [, stdout, stderr, , evidence] = this.child.stdio;
    for (const stream of [stdout, stderr, evidence])
      // A pipe is a socket, which would keep the service alive.
      Reflect.get(Object(stream), "unref")?.call(stream);
    onLine(stdout, (line) => {
      this.log.info({ output: "stdout" }, line);
    });
    onLine(stderr, (line) => {
      if (line.includes("FATAL ERROR")) this.lastError = line;
      this.log.warn({ output: "stderr" }, line);
    });
    onLine(evidence, (line) => {
      const parsed = evidenceSchema.safeParse(parseJson(line));
      if (parsed.success) this.evidence ??= parsed.data;
    });
  }

  private getReason(code: number | null, signal: string | null): string {
    if (this.evidence) return this.evidence.reason;
    if (this.lastError.includes("heap out of memory"))
      return "it used too much memory";
    return signal === null
      ? `its process ended with code ${code}`
      : `its process was ended by ${signal}`;
  }

  private end(reason: string): void {
    const calls = [...this.calls.values()];
    const running = new Map(
      calls.map(({ plugin }) => [getPluginKey(plugin), plugin]),
    );
    this.onEnd({
      evidence: this.evidence,
      reason,
      loaded: [...this.loaded.values()],
      running: [...running.values()],
    });
    this.calls.clear();
    for (const { reject } of calls) reject(new ProcessEnded(reason));
    for (const finish of this.turns.values()) finish(new ProcessEnded(reason));
  }

  private receive(received: unknown): void {
    const parsed = messageSchema.safeParse(received);
    if (!parsed.success) return;
    const message = parsed.data;
    if (message.type === "log") this.write(message);
    else if (message.type === "request") void this.answer(message);
    else if (message.type === "sent")
      this.turns.get(message.request)?.(
        message.error === null ? null : decodeError(message.error),
      );
    else this.finish(message);
  }

  private finish(message: Extract<Message, { type: "done" | "failed" }>): void {
    const running = this.take(message.call);
    if (message.type === "done") running?.resolve(deserialize(message.value));
    else running?.reject(decodeError(message.error));
  }

  private write({
    call,
    plugin,
    level,
    fields,
    message,
  }: Extract<Message, { type: "log" }>): void {
    const log =
      this.calls.get(call ?? 0)?.context?.log ?? this.log.child({ plugin });
    log[level](decodeFields(fields), message);
  }

  private async answer({
    request,
    call,
    name,
    args,
  }: Extract<Message, { type: "request" }>): Promise<void> {
    const own: { error?: unknown } = {};
    try {
      const value = await this.perform(call, name, args, request, own);
      this.post({ type: "answer", request, value });
    } catch (thrown) {
      const error = encodeError(thrown);
      const isOwn = "error" in own && own.error === thrown;
      this.post({ type: "failure", request, error, isOwn });
    } finally {
      this.turns.delete(request);
    }
  }

  private async perform(
    call: number,
    name: Extract<Message, { type: "request" }>["name"],
    args: readonly unknown[],
    request: number,
    own: { error?: unknown },
  ): Promise<unknown> {
    const running = this.calls.get(call);
    if (!running?.context)
      throw new PlatformError("unavailable", "The call has ended.");
    const { context, files } = running;
    switch (name) {
      case "http": {
        const [url, options] = httpArguments.parse(removeUndefined(args));
        return context.http(url, options);
      }
      case "addressOf":
        return context.addressOf(...hostArguments.parse(args));
      case "folder":
        return context.folder?.();
      case "turn": {
        const [scope] = turnArguments.parse(removeUndefined(args));
        return context.turn(scope, () => this.sendTurn(request, own));
      }
      case "bytes":
        return files[bytesArguments.parse(args)[0]]?.bytes();
      case "publicUrl": {
        const [index, ttlSeconds] = publicUrlArguments.parse(args);
        return files[index]?.publicUrl?.(ttlSeconds);
      }
      default:
        return undefined;
    }
  }

  /** Has the plugin send the request whose turn has come, and waits until it has. */
  private sendTurn(request: number, own: { error?: unknown }): Promise<void> {
    return new Promise((resolve, reject) => {
      this.turns.set(request, (error) => {
        own.error = error;
        if (error === null) resolve();
        else reject(error);
      });
      this.post({ type: "send", request });
    });
  }
}

function startChild(
  settings: HostSettings,
  environment: Environment,
): ChildProcess {
  // The program's file has this file's extension: `.js` when built, `.ts` when tests run the sources.
  const extension = import.meta.url.slice(-3);
  const program = new URL(`./plugin-process${extension}`, import.meta.url);
  const heapMb = Math.round(settings.maxMemoryMb * heapShare);
  const loader =
    extension === ".ts" ? ["--import", import.meta.resolve("tsx")] : [];
  return spawn(
    process.execPath,
    [
      `--max-old-space-size=${heapMb}`,
      ...loader,
      fileURLToPath(program),
      JSON.stringify(settings),
    ],
    {
      env: environment,
      stdio: ["ignore", "pipe", "pipe", "ipc", "pipe"],
      serialization: "advanced",
    },
  );
}

function onLine(stream: unknown, handle: (line: string) => void): void {
  if (isReadable(stream)) {
    stream.on("error", () => undefined);
    createInterface(stream).on("line", handle);
  }
}

function isReadable(stream: unknown): stream is Readable {
  return typeof stream === "object" && stream !== null && "pipe" in stream;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Errors in the fields of a log line are encoded. */
function decodeFields(fields: Record<string, unknown>): object {
  const encoded = z.object({ error: errorSchema });
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]): [string, unknown] => {
      const { success, data } = encoded.safeParse(value);
      return [name, success ? decodeError(data.error) : value];
    }),
  );
}

/** Arguments whose properties may be undefined, as if they were left out. */
function removeUndefined(args: readonly unknown[]): unknown[] {
  return args.map((arg) =>
    typeof arg === "object" && arg !== null
      ? Object.fromEntries(
          Object.entries(arg).filter(([, value]) => value !== undefined),
        )
      : arg,
  );
}

/** As in a request of a plugin in this process: values that are undefined are left out, others become text. */
function toHeaders(headers: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );
}

/** The files in the arguments of a call, and the arguments with the numbers of the files in their places. */
function takeFiles(
  method: string,
  args: readonly unknown[],
): { files: OutFile[] | null; sent: readonly unknown[] } {
  const at = fileArguments[method];
  if (at === undefined) return { files: null, sent: args };
  const files: OutFile[] = [];
  const add = (some: readonly OutFile[]) =>
    some.map((file) => files.push(file) - 1);
  // The host itself passes these arguments.
  /* oxlint-disable typescript/no-unsafe-type-assertion */
  const given = args[at] as
    readonly OutFile[] | readonly RecordFiles[] | DeliveryRequest;
  const toNumbers = <T extends { files: readonly OutFile[] }>(one: T) => ({
    ...one,
    files: add(one.files),
  });
  const numbers = !Array.isArray(given)
    ? toNumbers(given as DeliveryRequest)
    : method === "writeBack"
      ? add(given as OutFile[])
      : (given as RecordFiles[]).map(toNumbers);
  /* oxlint-enable typescript/no-unsafe-type-assertion */
  return { files, sent: args.toSpliced(at, 1, numbers) };
}

function toCallContext(
  { credentials, pageAddress }: AnyContext,
  files: readonly OutFile[] | null,
): CallContext {
  return {
    credentials,
    pages: pageAddress?.("") ?? null,
    files:
      files?.map((file) => ({
        key: file.key,
        filename: file.filename,
        contentType: file.contentType,
        sizeBytes: file.sizeBytes,
        hasPublicUrl: file.publicUrl !== undefined,
      })) ?? null,
  };
}

type CallRemote = (
  method: string,
  args: readonly unknown[],
  context: AnyContext | null,
) => Promise<unknown>;

/** Methods that get no context: rules of `rate`, the mapping of rows, and the checks of notices. */
const pureMethods = new Set([
  "rate.key",
  "rate.perSecond",
  "toRootData",
  "parseNotice",
  "changes.verify",
]);

/** A plugin as its module describes it, whose functions call those of the module. */
function createProxy(
  description: unknown,
  call: CallRemote,
  path = "",
): unknown {
  if (description === functionMark)
    return (...args: unknown[]) => {
      if (pureMethods.has(path)) return call(path, args, null);
      const [context, ...rest] = args;
      // The host passes the context first.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return call(path, rest, context as AnyContext);
    };
  if (Array.isArray(description))
    return description.map((one): unknown => createProxy(one, call, path));
  if (typeof description !== "object" || description === null)
    return description;
  return Object.fromEntries(
    Object.entries(description).map(([name, value]) => [
      name,
      createProxy(value, call, path === "" ? name : `${path}.${name}`),
    ]),
  );
}
