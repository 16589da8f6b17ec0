import { mkdir } from "node:fs/promises";
import type { DependencyContainer } from "tsyringe";
import { baseUrlOf, type Config, loadSecret } from "../../config/index.js";
import { createContainer } from "./container.js";
import { type Log, PlatenError } from "../plugin-api/index.js";
import { type DemoNote, type DemoSeedNote, makeDemo } from "./demo.js";
import { startHttpServer } from "../api/index.js";
import { demoConnection } from "./demo-connection.js";
import { demoLoginLink } from "./demo-login-link.js";
import { makeMetrics } from "./service-metrics.js";
import { openFileStore } from "./open-file-store.js";
import { packageInfo } from "../lib/package-info.js";
import { startWork } from "./start-work.js";
import { openStore } from "../storage/database/index.js";
import * as t from "./tokens.js";

/** How long running requests may take to end after the service was told to stop. */
const graceMs = 20_000;

/** What a process does: answers requests, works on batches and webhooks, or both. */
export type Role = "all" | "serve" | "worker";

export interface Service {
  /** Where callers reach the service, this process or another. Without a slash at the end. */
  baseUrl: string;
  /** Where the metrics are told; null when they are not. */
  metricsUrl: string | null;
  container: DependencyContainer;
  /** What was made for an empty database; null on any later start. */
  demo: DemoNote | null;
  /** Lets running requests end, then stops the browser, then closes the database. */
  stop(): Promise<void>;
}

type Closers = (() => Promise<void>)[];

/** Takes nothing new, lets what runs end, and waits for it no longer than told. */
type Ender = (milliseconds: number) => Promise<void>;

/** How a service ends: first what runs, then the doors that say so meanwhile, then the rest, the last started first. */
interface Endings {
  closers: Closers;
  enders: Ender[];
  doors: Closers;
}

/**
 * Starts the whole service. What was started before a failure is stopped again.
 * @param container with parts of it replaced, if need be.
 */
export async function startService(
  config: Config,
  log: Log,
  container: DependencyContainer = createContainer(),
  role: Role = "all",
): Promise<Service> {
  const closers: Closers = [];
  const stop = async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  };
  try {
    container.register(t.CONFIG, { useValue: config });
    container.register(t.LOG, { useValue: log });
    container.register(t.PACKAGE, { useValue: packageInfo() });
    return { ...(await start(container, role, closers)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The browser takes longest, so it starts first and the rest beside it. */
async function start(
  container: DependencyContainer,
  role: Role,
  closers: Closers,
): Promise<Omit<Service, "stop">> {
  const metrics = await makeMetrics(container);
  const renderer = container.resolve(t.RENDERER);
  const browser = renderer.start();
  // Waited for below; until then its failure must not count as one that nobody handles.
  const settled = browser.catch(() => undefined);
  closers.push(async () => {
    await settled;
    await renderer.stop();
    await container.resolve(t.PDF_EDITOR).stop();
  });
  const demo = await openData(container, role, closers);
  await browser;
  const enders: Ender[] = [];
  const doors: Closers = [];
  closers.push(() => drain(container, enders, doors));
  const baseUrl =
    role === "worker"
      ? workerBaseUrl(container)
      : await createHttpTransport(container, { closers, enders, doors });
  if (role !== "serve") enders.push(await startWork(container));
  // For the log alone, so nothing waits for it.
  void container.resolve(t.PLUGINS).loadInstalled();
  const metricsUrl = await metrics.open(closers);
  await demoConnection(container, demo);
  return {
    baseUrl,
    metricsUrl,
    container,
    demo: await demoLoginLink(container, demo),
  };
}

/** Database, secret and files; an empty database gets its demo organization, unless for a worker. */
async function openData(
  container: DependencyContainer,
  role: Role,
  closers: Closers,
): Promise<DemoSeedNote | null> {
  const config = container.resolve(t.CONFIG);
  const { database, dataFolder } = config;
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const log = container.resolve(t.LOG);
  const store = await openStore({ database, migrate: true, log });
  // Closed after the browser: a render that ends badly is still recorded.
  closers.unshift(() => store.close());
  container.register(t.STORE, { useValue: store });
  container.register(t.SECRET, { useValue: await loadSecret(config) });
  if (!container.isRegistered(t.FILE_STORE)) {
    const files = await openFileStore(config, log);
    container.register(t.FILE_STORE, { useValue: files });
  }
  return config.demo && role !== "worker" ? makeDemo(store, dataFolder) : null;
}

/** The base URL may hold the port that the system chose, so links can be made only once it is known. */
async function createHttpTransport(
  container: DependencyContainer,
  { closers, enders, doors }: Endings,
): Promise<string> {
  const config = container.resolve(t.CONFIG);
  const server = await startHttpServer((port) => {
    const baseUrl = baseUrlOf(config, port);
    container.register(t.BASE_URL, { useValue: baseUrl });
    return container.resolve(t.HTTP_APP).callback();
  }, config);
  enders.push((milliseconds) => server.idle(milliseconds));
  doors.push(() => server.close());
  await container.resolve(t.BATCHES).prepare();
  const sweeper = container.resolve(t.FILE_SWEEPER);
  sweeper.start();
  closers.push(() => sweeper.stop());
  return container.resolve(t.BASE_URL);
}

/** Requests and work end side by side; meanwhile the service says that it is not ready. Then the door is closed. */
async function drain(
  container: DependencyContainer,
  enders: readonly Ender[],
  doors: Closers,
): Promise<void> {
  container.resolve(t.DRAINING).abort();
  await Promise.all(enders.map((end) => end(graceMs)));
  await Promise.all(doors.map((close) => close()));
}

/** A worker's links lead to the processes that serve, so it has to be told where they are. */
function workerBaseUrl(container: DependencyContainer): string {
  const config = container.resolve(t.CONFIG);
  if (config.baseUrl === null && config.port === 0)
    throw new PlatenError(
      "invalid_request",
      "A worker makes links to files, so it must know where they are served: set PLATEN_BASE_URL.",
    );
  const baseUrl = baseUrlOf(config, config.port);
  container.register(t.BASE_URL, { useValue: baseUrl });
  return baseUrl;
}
