import type { Config } from "../../config/index.js";
import { createConfiguredRenderer } from "../rendering/renderer.js";
import { formatError, type Log, PlatenError } from "../plugin-api/index.js";
import { createLog } from "../lib/log.js";
import { limitGarbage } from "../lib/event-loop.js";
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
    const own =
      member === null ? config : toMemberConfig(config, member, processes);
    await run(own, role, log, member).catch(fail);
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
