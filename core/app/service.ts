import type { DependencyContainer } from "tsyringe";
import { getBaseUrl, type Config, loadSecret } from "../../config/index.js";
import { type HttpServer, startHttpServer, HTTP_APP } from "../api/index.js";
import { documentCounts, RecentPayloads } from "../documents/index.js";
import { clock } from "../lib/clock.js";
import { startWatchdog } from "../lib/event-loop.js";
import { registerValue } from "../lib/injection.js";
import { getPackageInfo } from "../lib/package-info.js";
import { type Log, PlatenError } from "../plugin-api/index.js";
import { SignatureWorker } from "../signatures/index.js";
import { openStore, STORE } from "../storage/database/index.js";
import { FilesAndTexts, FileCleanup } from "../storage/files/index.js";
import { LoginLinks } from "../accounts/sessions/index.js";
import { IdempotencyKeys, RateLimits } from "../accounts/index.js";
import {
  AutomationWorker,
  ChangeSubscriptionWorker,
} from "../automations/index.js";
import { Batches, DocumentWorker, MergeWorker } from "../batches/index.js";
import { Compute } from "../compute/index.js";
import { DeliveryWorker } from "../deliveries/index.js";
import { ConnectionService } from "../integrations/connections/index.js";
import { PluginProcesses, Plugins } from "../integrations/host/index.js";
import {
  FetchWorker,
  WriteBackWorker,
} from "../integrations/platforms/index.js";
import {
  BASE_URL,
  CONFIG,
  DRAINING,
  FILE_STORE,
  LOG,
  METRICS,
  PACKAGE,
  SECRET,
} from "../lib/process-values.js";
import { QUEUE } from "../queue/index.js";
import { FontSubsetter, PdfEditor, RENDERER } from "../rendering/index.js";
import { EVENTS } from "../webhooks/index.js";
import {
  completeDemo,
  createDemoData,
  type DemoData,
  type DemoNote,
} from "./demo.js";
import {
  type ClosedPaths,
  closeDataFolder,
  prepareDataFolder,
} from "./data-folder.js";
import { openFileStore } from "./file-store.js";
import { registerMetrics } from "./metrics.js";
import { createContainer } from "./entry-points.js";

/** How long running requests and jobs may take to end once the service stops. */
const graceMs = 20_000;

/** What a process does: answers requests, works on batches and webhooks, or both. */
export type Role = "all" | "serve" | "worker";

export interface Service {
  /** Where callers reach the service, this process or another. Without a slash at the end. */
  baseUrl: string;
  /** The URL of the metrics; null when they are not served. */
  metricsUrl: string | null;
  container: DependencyContainer;
  /** What was created for an empty database; null on any later start. */
  demo: DemoNote | null;
  /** Lets running requests end, then stops the browser, then closes the database. */
  stop(): Promise<void>;
}

/** Run in reverse order. */
type ShutdownHooks = (() => Promise<void>)[];

/**
 * Starts the whole service. When the start fails, what was started is stopped again.
 * @param container with some services replaced, in tests.
 */
export async function startService(
  config: Config,
  log: Log,
  container: DependencyContainer = createContainer(),
  role: Role = "all",
): Promise<Service> {
  const hooks: ShutdownHooks = [];
  const stop = async () => {
    for (const hook of hooks.splice(0).toReversed()) await hook();
  };
  try {
    registerValue(container, CONFIG, config);
    registerValue(container, LOG, log);
    registerValue(container, PACKAGE, getPackageInfo());
    return { ...(await start(container, role, hooks)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  container: DependencyContainer,
  role: Role,
  hooks: ShutdownHooks,
): Promise<Omit<Service, "stop">> {
  const startMetricsServer = await registerMetrics(container);
  const watchdog = startWatchdog(
    container.resolve(LOG),
    container.resolve(METRICS),
  );
  hooks.push(async () => watchdog.stop());
  // The browser takes longest: the database and files are opened meanwhile.
  const renderer = container.resolve(RENDERER);
  const browser = renderer.start();
  // Awaited below; until then its failure must not count as an unhandled rejection.
  const settled = browser.catch(() => undefined);
  hooks.push(async () => {
    await settled;
    await renderer.stop();
    await container.resolve(PdfEditor).stop();
    await container.resolve(FontSubsetter).stop();
    await container.resolve(Compute).stop();
  });
  const demo = await openData(container, role, hooks);
  await browser;

  let server: HttpServer | null = null;
  let stopWork: (() => Promise<void>) | null = null;
  // The port stays open until requests and jobs have ended, so that probes get "not ready" meanwhile.
  hooks.push(() => container.resolve(PluginProcesses).stop());
  hooks.push(async () => {
    container.resolve(DRAINING).abort();
    await Promise.all([server?.idle(graceMs), stopWork?.()]);
    await server?.close();
  });
  if (role === "worker") registerWorkerBaseUrl(container);
  else {
    server = await listen(container);
    await container.resolve(Batches).prepare();
    const sweeper = container.resolve(FileCleanup);
    sweeper.start();
    hooks.push(() => sweeper.stop());
  }
  if (role !== "serve") stopWork = await startWork(container);
  // Only logs which plugins are installed, so nothing waits for it.
  void container.resolve(Plugins).loadInstalled();
  const metrics = await startMetricsServer?.();
  if (metrics) hooks.push(() => metrics.close());
  return {
    baseUrl: container.resolve(BASE_URL),
    metricsUrl: metrics?.url ?? null,
    container,
    demo:
      demo &&
      (await completeDemo(
        demo,
        container.resolve(ConnectionService),
        container.resolve(LoginLinks),
      )),
  };
}

/** Opens the database and the files; an empty database gets a demo organization, unless the process is a worker. */
async function openData(
  container: DependencyContainer,
  role: Role,
  hooks: ShutdownHooks,
): Promise<DemoData | null> {
  const config = container.resolve(CONFIG);
  const { database, dataFolder } = config;
  const log = container.resolve(LOG);
  logClosedPaths(log, await prepareDataFolder(config));
  const store = await openStore({ database, migrate: true, log });
  // Closed after the browser has stopped: a render that fails by that is still recorded.
  hooks.unshift(() => store.close());
  registerValue(container, STORE, store);
  registerValue(container, SECRET, await loadSecret(config));
  const files = container.isRegistered(FILE_STORE)
    ? container.resolve(FILE_STORE)
    : await openFileStore(config, log);
  registerValue(container, FILE_STORE, new FilesAndTexts(files, store));
  // There may be many files, so nothing waits for it.
  void closeDataFolder(config).then((closedPaths) =>
    logClosedPaths(log, closedPaths),
  );
  return config.demo && role !== "worker"
    ? createDemoData(store, dataFolder)
    : null;
}

function logClosedPaths(log: Log, { closed, refused }: ClosedPaths): void {
  if (closed.length > 0)
    log.warn(
      { count: closed.length, paths: closed.slice(0, 10) },
      "closed files that other users of this machine could read",
    );
  if (refused.length > 0)
    log.warn(
      { count: refused.length, paths: refused.slice(0, 10) },
      "other users of this machine can read files of the service; run platen doctor",
    );
}

/** The base URL may contain the port that the system chose, so whatever creates links is created after that. */
function listen(container: DependencyContainer): Promise<HttpServer> {
  const config = container.resolve(CONFIG);
  return startHttpServer((port) => {
    registerValue(container, BASE_URL, getBaseUrl(config, port));
    return container.resolve(HTTP_APP).callback();
  }, config);
}

/** A worker's links lead to the processes that serve, so it must be configured where they are. */
function registerWorkerBaseUrl(container: DependencyContainer): void {
  const config = container.resolve(CONFIG);
  if (config.baseUrl === null && config.port === 0)
    throw new PlatenError(
      "invalid_request",
      "A worker creates links to files, so it must know the URL of the service: set PLATEN_BASE_URL.",
    );
  registerValue(container, BASE_URL, getBaseUrl(config, config.port));
}

const hourMs = 3_600_000;
const tenMinutesMs = 600_000;

/**
 * Has this process render the documents of batches and send webhooks. @returns what ends it: takes nothing new, lets
 * what runs end, and after `graceMs` gives back the rest.
 */
async function startWork(
  container: DependencyContainer,
): Promise<() => Promise<void>> {
  const { dispatch } = container.resolve(EVENTS);
  const queue = container.resolve(QUEUE);
  container.resolve(DocumentWorker).register();
  container.resolve(MergeWorker).register();
  container.resolve(FetchWorker).register();
  container.resolve(WriteBackWorker).register();
  container.resolve(DeliveryWorker).register();
  container.resolve(SignatureWorker).register();
  container.resolve(AutomationWorker).register();
  container.resolve(ChangeSubscriptionWorker).register();
  // Forgets answers and counts of requests that nobody will ask for again.
  queue.every("admission", hourMs, async () => {
    const now = clock.date();
    await container.resolve(IdempotencyKeys).sweep(now);
    await container.resolve(RateLimits).sweep(now);
  });
  const payloads = container.resolve(RecentPayloads);
  queue.every("recent-payloads", tenMinutesMs, () =>
    payloads.sweep(clock.date()),
  );
  const store = container.resolve(STORE);
  queue.every("list-counts", tenMinutesMs, (signal) =>
    documentCounts.sweep(store, signal),
  );
  dispatch.work();
  await queue.start();
  dispatch.start();
  return async () => {
    await dispatch.stop();
    await queue.stop(graceMs);
  };
}
