import { type ChildProcess, fork } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { BirpcReturn } from "birpc";
import { z } from "zod";
import { clock } from "../../lib/clock.js";
import {
  type EsignContext,
  type Log,
  type OutFile,
  type PlatformContext,
  PlatformError,
} from "../../plugin-api/index.js";
import { provide } from "../../lib/injection.js";
import { CONFIG, LOG } from "../../lib/process-values.js";
import { createPluginBug } from "./platform-errors.js";
import { getFileFolder } from "./call-context.js";
import { object, pluginMethods, removeUndefined } from "./plugin-methods.js";
import { endMark } from "./plugin-watchdog.js";
import {
  type CallContext,
  connect,
  functionMark,
  type PluginFunctions,
  type ProcessSettings,
  type ServiceFunctions,
} from "./process-rpc.js";

/** A plugin from outside of the package. */
export interface PluginModule {
  kind: string;
  id: string;
  /** The file: URL of its main module. */
  entry: string;
}

interface PluginProcessesOptions {
  /** The folder of files that the operator provides to connections. */
  files: string | null;
  /** The environment variables that plugins may see. */
  environment: Readonly<Record<string, string>>;
  log: Log;
  /** How long a plugin may compute without a pause. Default 5 s. */
  maxSilenceMs?: number;
  /** How long a module may take to load. Default 30 s. */
  maxLoadMs?: number;
  /** Default 768 MB. */
  maxMemoryMb?: number;
}
/** The pause before a process is started again, doubled with each end. */
const firstRestartMs = 250;
const maxRestartMs = 2000;

type AnyContext = PlatformContext<unknown> & Partial<EsignContext<unknown>>;

/**
 * Runs each plugin from outside of the package in a process of its own, which its first call starts. When the process ends,
 * its running calls fail, and the next call starts it again after a pause.
 */
export class PluginProcesses {
  private readonly processes = new Map<string, PluginProcess>();

  constructor(private readonly options: PluginProcessesOptions) {}

  /**
   * @returns what the plugin's module exports as `plugin`, not validated; its methods run in its process.
   * @throws the error with which its module failed.
   */
  async load(plugin: PluginModule): Promise<unknown> {
    const process =
      this.processes.get(plugin.entry) ??
      new PluginProcess(plugin, this.options);
    this.processes.set(plugin.entry, process);
    return createProxy(await process.load(), (...call) =>
      process.call(...call),
    );
  }

  /** Running calls fail. */
  async stop(): Promise<void> {
    const all = [...this.processes.values()];
    await Promise.all(all.map((process) => process.stop()));
  }
}

provide(PluginProcesses, (c) => {
  const config = c.resolve(CONFIG);
  return new PluginProcesses({
    files: getFileFolder(config),
    environment: config.plugins.environment,
    log: c.resolve(LOG),
  });
});

interface RunningCall {
  method: string;
  context: AnyContext | null;
  files: readonly OutFile[];
  reject: (reason: unknown) => void;
}

interface Child {
  process: ChildProcess;
  rpc: BirpcReturn<PluginFunctions, ServiceFunctions>;
  ended: Promise<void>;
}

/** Keeps one plugin's process running, from the first call on. */
class PluginProcess {
  private child: Child | null = null;
  private readonly calls = new Map<number, RunningCall>();
  private callCount = 0;
  private ends = 0;
  private restartAt = 0;
  private isStopped = false;

  constructor(
    private readonly plugin: PluginModule,
    private readonly options: PluginProcessesOptions,
  ) {}

  async load(): Promise<unknown> {
    const { maxLoadMs = 30_000 } = this.options;
    return this.run("load", null, [], async ({ rpc, process }) => {
      const late = new AbortController();
      const timer = clock.limit(maxLoadMs, () => late.abort());
      try {
        return await Promise.race([
          rpc.load(),
          rejectOnAbort(late.signal, () => {
            process.kill("SIGKILL");
            return new Error(`it did not load within ${maxLoadMs / 1000} s`);
          }),
        ]);
      } finally {
        timer.cancel();
      }
    });
  }

  call(
    method: string,
    args: readonly unknown[],
    context: AnyContext | null,
  ): Promise<unknown> {
    const at = pluginMethods.get(method)?.filesAt ?? null;
    const files: OutFile[] = [];
    const sent = at === null ? args : args.with(at, takeFiles(args[at], files));
    return this.run(method, context, files, ({ rpc }, call) => {
      const running = rpc.call(
        call,
        method,
        sent,
        context && toCallContext(context, files),
      );
      if (context === null) return running;
      // The plugin may never end the call.
      const aborted = rejectOnAbort(context.signal, () => {
        const { reason }: { reason: unknown } = context.signal;
        if (this.calls.has(call)) void rpc.abort.asEvent(call, reason);
        return reason;
      });
      return Promise.race([running, aborted]);
    });
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.child === null) return;
    const { process, ended } = this.child;
    setReferenced(process, true);
    process.kill("SIGKILL");
    await ended;
  }

  private async run(
    method: string,
    context: AnyContext | null,
    files: readonly OutFile[],
    work: (child: Child, call: number) => Promise<unknown>,
  ): Promise<unknown> {
    const child = await this.getChild();
    this.callCount += 1;
    const call = this.callCount;
    setReferenced(child.process, true);
    try {
      return await new Promise((resolve, reject) => {
        this.calls.set(call, { method, context, files, reject });
        work(child, call).then(resolve, reject);
      });
    } finally {
      this.calls.delete(call);
      if (this.calls.size === 0) setReferenced(child.process, false);
    }
  }

  /** The running process; waits until it may be started again. */
  private async getChild(): Promise<Child> {
    for (;;) {
      if (this.isStopped) throw createStopping();
      if (this.child !== null) return this.child;
      const wait = this.restartAt - clock.now();
      if (wait <= 0) break;
      await clock.sleep(wait);
    }
    this.child = this.start();
    return this.child;
  }

  private start(): Child {
    const { maxSilenceMs = 5000, maxMemoryMb = 768 } = this.options;
    const { files, environment } = this.options;
    const { entry } = this.plugin;
    const settings: ProcessSettings = {
      entry,
      files,
      maxSilenceMs,
      maxMemoryMb,
    };
    const process = fork(program, [JSON.stringify(settings)], {
      env: environment,
      execArgv: [`--max-old-space-size=${maxMemoryMb}`, ...loader],
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      serialization: "advanced",
    });
    const rpc = connect<PluginFunctions, ServiceFunctions>(
      process,
      this.functions,
    );
    const ended = this.watch(process).then((reason) => this.end(reason));
    setReferenced(process, false);
    return { process, rpc, ended };
  }

  private end(reason: string): void {
    this.child = null;
    const { kind, id } = this.plugin;
    for (const { method, reject } of this.calls.values())
      reject(
        this.isStopped
          ? createStopping()
          : createPluginBug({ id, method }, reason, new Error(reason)),
      );
    if (this.isStopped) return;
    const pause = Math.min(maxRestartMs, firstRestartMs * 2 ** this.ends);
    this.ends += 1;
    this.restartAt = clock.now() + clock.pause(pause);
    this.options.log.error(
      { plugin: id, kind, reason },
      `the process of the plugin ${id} ended, because ${reason}`,
    );
  }

  /** Logs what the process writes. @returns why it ended, such as `it ended with code 1`. */
  private watch(process: ChildProcess): Promise<string> {
    const log = this.options.log.child({ plugin: this.plugin.id });
    let said = "";
    onLine(process.stdout, (line) => log.info({ output: "stdout" }, line));
    onLine(process.stderr, (line) => {
      if (line.startsWith(endMark)) said = line.slice(endMark.length);
      else if (line.includes("heap out of memory"))
        said = "it used too much memory";
      // What Node prints of an error that nobody caught.
      else if (/^(?:Uncaught )?\w*Error\b/.test(line))
        said = `it threw outside of a call: ${line.slice(0, 500)}`;
      if (!line.startsWith(endMark)) log.warn({ output: "stderr" }, line);
    });
    return new Promise((resolve) => {
      process.once("error", ({ message }) => resolve(`it failed: ${message}`));
      process.once("exit", (code, signal) => {
        const finish = () => {
          timer.cancel();
          const how = signal === null ? `with code ${code}` : `by ${signal}`;
          resolve(code === 0 || said === "" ? `it ended ${how}` : said);
        };
        // What the process wrote last may still be in its pipes, which a process that it has started may keep open.
        const timer = clock.limit(1000, finish);
        process.once("close", finish);
      });
    });
  }

  /** Everything that a plugin passes is checked, since its process may send what it likes. */
  private readonly functions: ServiceFunctions = {
    http: (call, ...args) =>
      this.getContext(call).http(...httpArguments.parse(args)),
    addressOf: (call, host) =>
      this.getContext(call).addressOf(z.string().parse(host)),
    folder: async (call) => this.getContext(call).folder?.(),
    turn: (call, scope, request) =>
      this.getContext(call).turn(scopeSchema.parse(scope), async () =>
        this.child?.rpc.send(request),
      ),
    bytes: (call, file) => this.getFile(call, file).bytes(),
    publicUrl: async (call, file, ttlSeconds) => {
      const url = this.getFile(call, file).publicUrl?.(
        z.number().parse(ttlSeconds),
      );
      if (url === undefined) throw new Error("the file has no URL");
      return url;
    },
    log: (call, level, fields, message) => {
      const { id } = this.plugin;
      const log =
        this.calls.get(call ?? 0)?.context?.log ??
        this.options.log.child({ plugin: id });
      log[levelSchema.parse(level)](Object(fields), z.string().parse(message));
    },
  };

  private getContext(call: number): AnyContext {
    const context = this.calls.get(call)?.context;
    if (context) return context;
    throw new PlatformError("unavailable", "The call has ended.");
  }

  private getFile(call: number, file: unknown): OutFile {
    const outFile = this.calls.get(call)?.files[z.number().parse(file)];
    if (outFile) return outFile;
    throw new PlatformError("unavailable", "The call has ended.");
  }
}

function createStopping(): PlatformError {
  return new PlatformError("unavailable", "The service is stopping.");
}

/** Never resolves. @param createError called when the signal is aborted */
function rejectOnAbort(
  signal: AbortSignal,
  createError: () => unknown,
): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(createError()), {
      once: true,
    });
  });
}

// The program's file has this file's extension: `.js` when built, `.ts` when tests run the sources.
const extension = import.meta.url.slice(-3);
const program = fileURLToPath(
  new URL(`./plugin-main${extension}`, import.meta.url),
);
const loader =
  extension === ".ts" ? ["--import", import.meta.resolve("tsx")] : [];

/** Whether the service stays alive for a process: only while its calls are running. */
function setReferenced(process: ChildProcess, isReferenced: boolean): void {
  const method = isReferenced ? "ref" : "unref";
  process[method]();
  process.channel?.[method]();
}

function onLine(stream: Readable | null, handle: (line: string) => void): void {
  if (stream === null) return;
  // A pipe is a socket, which would keep the service alive.
  Reflect.get(stream, "unref")?.call(stream);
  stream.on("error", () => undefined);
  createInterface(stream).on("line", handle);
}

const levelSchema = z.enum(["debug", "info", "warn", "error"]);
const httpArguments = z.tuple([
  z.string(),
  object({
    method: z.string().exactOptional(),
    headers: z
      .preprocess(removeUndefined, z.record(z.string(), z.coerce.string()))
      .exactOptional(),
    body: z.union([z.string(), z.instanceof(Uint8Array)]).exactOptional(),
    bucket: z.string().exactOptional(),
  }).optional(),
]);
const scopeSchema = object({
  baseId: z.string().exactOptional(),
  tableId: z.string().exactOptional(),
});

/** The value with the indexes of its files in their places; adds the files to `files`. */
function takeFiles(value: unknown, files: OutFile[]): unknown {
  if (Array.isArray(value)) return value.map((item) => takeFiles(item, files));
  if (isFile(value)) return files.push(value) - 1;
  const { files: ownFiles, ...rest }: Record<string, unknown> = Object(value);
  return { ...rest, files: takeFiles(ownFiles, files) };
}

function isFile(value: unknown): value is OutFile {
  return typeof value === "object" && value !== null && "bytes" in value;
}

function toCallContext(
  { credentials, pageAddress }: AnyContext,
  files: readonly OutFile[],
): CallContext {
  return {
    credentials,
    pages: pageAddress?.("") ?? null,
    files: files.map((file) => ({
      key: file.key,
      filename: file.filename,
      contentType: file.contentType,
      sizeBytes: file.sizeBytes,
      hasPublicUrl: file.publicUrl !== undefined,
    })),
  };
}

type CallRemote = (
  method: string,
  args: readonly unknown[],
  context: AnyContext | null,
) => Promise<unknown>;

/** A plugin as its module describes it, whose functions call those of the module. */
function createProxy(
  description: unknown,
  call: CallRemote,
  path = "",
): unknown {
  if (description === functionMark)
    return (...args: unknown[]) => {
      if (pluginMethods.get(path)?.hasContext === false)
        return call(path, args, null);
      const [context, ...rest] = args;
      // The host passes the context first.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return call(path, rest, context as AnyContext);
    };
  if (Array.isArray(description))
    return description.map((item): unknown => createProxy(item, call, path));
  if (typeof description !== "object" || description === null)
    return description;
  return Object.fromEntries(
    Object.entries(description).map(([name, value]) => [
      name,
      createProxy(value, call, path === "" ? name : `${path}.${name}`),
    ]),
  );
}
