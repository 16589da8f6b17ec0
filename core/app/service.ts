import type { DependencyContainer } from "tsyringe";
import { getBaseUrl, type Config, loadSecret } from "../../config/index.js";
import { type HttpServer, startHttpServer } from "../api/index.js";
import { documentCounts } from "../documents/index.js";
import { clock } from "../lib/clock.js";
import { startWatchdog } from "../lib/event-loop.js";
import { registerValue } from "../lib/injection.js";
import { getPackageInfo } from "../lib/package-info.js";
import { type Log, PlatenError } from "../plugin-api/index.js";
import { signatureCounts } from "../signatures/index.js";
import { openStore } from "../storage/database/index.js";
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
import { FilesAndTexts } from "../storage/files/index.js";
import { openFileStore } from "./file-store.js";
import { registerMetrics } from "./metrics.js";
import { createContainer } from "./modules.js";
import * as t from "./tokens.js";

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
    registerValue(container, t.CONFIG, config);
    registerValue(container, t.LOG, log);
    registerValue(container, t.PACKAGE, getPackageInfo());
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
    container.resolve(t.LOG),
    container.resolve(t.METRICS),
  );
  hooks.push(async () => watchdog.stop());
  // The browser takes longest: the database and files are opened meanwhile.
  const renderer = container.resolve(t.RENDERER);
  const browser = renderer.start();
  // Awaited below; until then its failure must not count as an unhandled rejection.
  const settled = browser.catch(() => undefined);
  hooks.push(async () => {
    await settled;
    await renderer.stop();
    await container.resolve(t.PDF_EDITOR).stop();
    await container.resolve(t.FONT_SUBSETTER).stop();
    await container.resolve(t.COMPUTE).stop();
  });
  const demo = await openData(container, role, hooks);
  await browser;

  let server: HttpServer | null = null;
  let stopWork: (() => Promise<void>) | null = null;
  // The port stays open until requests and jobs have ended, so that probes get "not ready" meanwhile.
  hooks.push(() => container.resolve(t.PLUGIN_PROCESSES).stop());
  hooks.push(async () => {
    container.resolve(t.DRAINING).abort();
    await Promise.all([server?.idle(graceMs), stopWork?.()]);
    await server?.close();
  });
  if (role === "worker") registerWorkerBaseUrl(container);
  else {
    server = await listen(container);
    await container.resolve(t.BATCHES).prepare();
    const sweeper = container.resolve(t.FILE_CLEANUP);
    sweeper.start();
    hooks.push(() => sweeper.stop());
  }
  if (role !== "serve") stopWork = await startWork(container);
  // Only logs which plugins are installed, so nothing waits for it.
  void container.resolve(t.PLUGINS).loadInstalled();
  const metrics = await startMetricsServer?.();
  if (metrics) hooks.push(() => metrics.close());
  return {
    baseUrl: container.resolve(t.BASE_URL),
    metricsUrl: metrics?.url ?? null,
    container,
    demo:
      demo &&
      (await completeDemo(
        demo,
        container.resolve(t.CONNECTIONS),
        container.resolve(t.LOGIN_LINKS),
      )),
  };
}

/** Opens the database and the files; an empty database gets a demo organization, unless the process is a worker. */
async function openData(
  container: DependencyContainer,
  role: Role,
  hooks: ShutdownHooks,
): Promise<DemoData | null> {
  const config = container.resolve(t.CONFIG);
  const { database, dataFolder } = config;
  const log = container.resolve(t.LOG);
  logClosedPaths(log, await prepareDataFolder(config));
  const store = await openStore({ database, migrate: true, log });
  // Closed after the browser has stopped: a render that fails by that is still recorded.
  hooks.unshift(() => store.close());
  registerValue(container, t.STORE, store);
  registerValue(container, t.SECRET, await loadSecret(config));
  const files = container.isRegistered(t.FILE_STORE)
    ? container.resolve(t.FILE_STORE)
    : await openFileStore(config, log);
  registerValue(container, t.FILE_STORE, new FilesAndTexts(files, store));
  // There may be many files, so nothing waits for it.
  void closeDataFolder(config).then((found) => logClosedPaths(log, found));
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
  const config = container.resolve(t.CONFIG);
  return startHttpServer((port) => {
    registerValue(container, t.BASE_URL, getBaseUrl(config, port));
    return container.resolve(t.HTTP_APP).callback();
  }, config);
}

/** A worker's links lead to the processes that serve, so it must be configured where they are. */
function registerWorkerBaseUrl(container: DependencyContainer): void {
  const config = container.resolve(t.CONFIG);
  if (config.baseUrl === null && config.port === 0)
    throw new PlatenError(
      "invalid_request",
      "A worker creates links to files, so it must know the URL of the service: set PLATEN_BASE_URL.",
    );
  registerValue(container, t.BASE_URL, getBaseUrl(config, config.port));
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
  const { dispatch } = container.resolve(t.EVENTS);
  const queue = container.resolve(t.QUEUE);
  container.resolve(t.DOCUMENT_WORKER).register();
  container.resolve(t.MERGE_WORKER).register();
  container.resolve(t.FETCH_WORKER).register();
  container.resolve(t.WRITE_BACK_WORKER).register();
  container.resolve(t.DELIVERY_WORKER).register();
  container.resolve(t.SIGNATURE_WORKER).register();
  container.resolve(t.AUTOMATION_WORKER).register();
  container.resolve(t.CHANGE_SUBSCRIPTION_WORKER).register();
  // Forgets answers and counts of requests that nobody will ask for again.
  queue.every("admission", hourMs, async () => {
    const now = clock.date();
    await container.resolve(t.IDEMPOTENCY_KEYS).sweep(now);
    await container.resolve(t.RATE_LIMITS).sweep(now);
  });
  const payloads = container.resolve(t.RECENT_PAYLOADS);
  queue.every("recent-payloads", tenMinutesMs, () =>
    payloads.sweep(clock.date()),
  );
  const store = container.resolve(t.STORE);
  queue.every("list-counts", tenMinutesMs, async (signal) => {
    for (const counts of [documentCounts, signatureCounts])
      await counts.sweep(store, signal);
  });
  dispatch.work();
  await queue.start();
  dispatch.start();
  return async () => {
    await dispatch.stop();
    await queue.stop(graceMs);
  };
}
