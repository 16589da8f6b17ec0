import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Config } from "../../config/index.js";
import { createConfiguredRenderer } from "../rendering/renderer.js";
import { formatError, type Log, PlatenError } from "../plugin-api/index.js";
import { createLog } from "../lib/log.js";
import { clock } from "../lib/clock.js";
import { getPackageInfo } from "../lib/package-info.js";
import { RENDERER } from "../rendering/index.js";
import {
  announceReady,
  onPrimaryStop,
  runMembers,
  toMemberConfig,
} from "./processes.js";
import { prepareDataFolder } from "./data-folder.js";
import type { Role, Service } from "./service.js";

/**
 * Turns this process, or so many others, into the service, until SIGTERM or SIGINT. Resolves once it is ready; exits the
 * process when it cannot start.
 * @param member which of the others this process is; null when it is none
 */
export async function runService(
  config: Config,
  role: Role,
  processes: number,
  member: number | null,
): Promise<void> {
  const log = createLog(config.log);
  process.on("uncaughtExceptionMonitor", (error) => {
    log.error({ err: error }, "uncaught exception: the process ends");
  });
  // Our own promises are all awaited. One that a plugin left behind must not end the service.
  process.on("unhandledRejection", (error) => {
    log.error({ err: error }, "unhandled rejection");
  });
  if (member === null)
    for (const warning of config.warnings) log.warn({}, warning);
  if (processes > 1 && member === null) await runMembers(processes, log);
  else {
    const ownConfig =
      member === null ? config : toMemberConfig(config, member, processes);
    await run(ownConfig, role, log, member).catch(fail);
  }
}

async function run(
  config: Config,
  role: Role,
  log: Log,
  member: number | null,
): Promise<void> {
  const starting = start(config, role, log);
  const stop = async () => (await starting).stop();
  const ending = endOnSignal(stop, log, member !== null);
  const { baseUrl, demo } = await starting;
  limitGarbage();
  if (ending.aborted) return;
  if (member === null) log.info({ url: baseUrl, role }, "platen is ready");
  else announceReady(baseUrl);
  if (demo) {
    const { formatWelcome } = await import("./demo.js");
    process.stderr.write(formatWelcome(baseUrl, demo));
  }
}

/**
 * The browser's process starts before the rest is loaded, and tests itself meanwhile. Loading takes half a second in which
 * this process does nothing else: nothing of the browser's start would happen before its end.
 */
async function start(config: Config, role: Role, log: Log): Promise<Service> {
  // Closed before the browser looks for a folder that its own user can enter.
  await prepareDataFolder(config);
  const renderer = createConfiguredRenderer(config, getPackageInfo(), log);
  await new Promise<void>((resolve) => {
    // `startService` starts it again and gets the same result; until then its failure must not count as unhandled.
    renderer.start(resolve).catch(resolve);
  });
  const { createContainer } = await import("./entry-points.js");
  const { startService } = await import("./service.js");
  const { registerValue } = await import("../lib/injection.js");
  const container = createContainer();
  registerValue(container, RENDERER, renderer);
  return startService(config, log, container, role);
}

/**
 * The first signal lets the start and running requests end; a second one exits at once. A member of several processes ends
 * when the first of them says so: a terminal signals all of them at the same time.
 * @returns a signal that the first one aborts.
 */
function endOnSignal(
  stop: () => Promise<void>,
  log: Log,
  isMember: boolean,
): AbortSignal {
  const ending = new AbortController();
  if (isMember) {
    process.on("SIGINT", () => undefined);
    process.on("SIGTERM", () => undefined);
    onPrimaryStop(() => {
      if (ending.signal.aborted) return;
      ending.abort();
      stop().then(() => process.exit(), fail);
    });
    return ending.signal;
  }
  const end = (signal: string) => {
    if (ending.signal.aborted) process.exit(1);
    ending.abort();
    log.info({ signal }, "stopping");
    stop().then(() => log.info({}, "stopped"), fail);
  };
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
  return ending.signal;
}

/** Exits with the message of an error that the operator can fix, or the stack of any other. */
function fail(error: unknown): never {
  const text =
    error instanceof PlatenError
      ? `platen: ${formatError(error)}`
      : error instanceof Error
        ? error.stack
        : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

const REST_MS = 15_000;
/** The share of the time below which the event loop counts as idle; timers alone use less. */
const RESTING = 0.02;

/**
 * Keeps the memory at no more than twice what is in use: otherwise V8 lets it grow to four times that if its collections
 * are cheap. And collects garbage, which takes about 50 ms, once the event loop has been idle for 15 seconds after work:
 * V8 would keep what the last work left until more work needs the space. Without the first, the last quarter of 100,000
 * documents took 783 MB instead of 464 (`soak-100000`); without the second, a service at rest takes 35 MB more.
 */
function limitGarbage(): void {
  setFlagsFromString("--heap-growing-percent=100");
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  let before = performance.eventLoopUtilization();
  let isCollected = false;
  const look = () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    const isAtRest = utilization < RESTING;
    if (isAtRest && !isCollected && typeof collect === "function") collect();
    isCollected = isAtRest;
  };
  clock.watch(REST_MS, look).unref();
}
