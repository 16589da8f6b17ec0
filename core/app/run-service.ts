import type { Config } from "../../config/index.js";
import { createConfiguredRenderer } from "../rendering/configured-renderer.js";
import { errorText, type Log, PlatenError } from "../plugin-api/index.js";
import { createLog } from "../lib/log.js";
import { packageInfo } from "../lib/package-info.js";
import type { Role, Service } from "./service.js";
import { RENDERER } from "./tokens.js";

// A process of the service, from its start to its end on SIGTERM or SIGINT.

/** Resolves once it is ready; the process then lives until it is told to stop. Ends the process when it cannot start. */
export async function runService(config: Config, role: Role): Promise<void> {
  const log = createLog(config.log);
  process.on("uncaughtExceptionMonitor", (error) => {
    log.error({ err: error }, "a fault that nobody caught ends the service");
  });
  // A plugin may leave a promise behind that fails, and must not end the service by it; ours are all waited for.
  process.on("unhandledRejection", (error) => {
    log.error({ err: error }, "a promise failed that nobody waited for");
  });
  await run(config, role, log).catch(fail);
}

async function run(config: Config, role: Role, log: Log): Promise<void> {
  for (const warning of config.warnings) log.warn({}, warning);
  const starting = start(config, role, log);
  const ending = endOnSignal(async () => (await starting).stop(), log);
  const { baseUrl, demo } = await starting;
  if (ending.aborted) return;
  log.info({ url: baseUrl, role }, "platen is ready");
  if (demo) {
    const { welcome } = await import("./demo.js");
    process.stderr.write(welcome(baseUrl, demo));
  }
}

/** The browser takes long to start, and the rest as long to load: so the one starts while the other is loaded. */
async function start(config: Config, role: Role, log: Log): Promise<Service> {
  const renderer = createConfiguredRenderer(config, packageInfo(), log);
  // Whoever starts it again gets the same answer; until then a failure must not count as one that nobody handles.
  renderer.start().catch(() => undefined);
  const { createContainer } = await import("./modules.js");
  const { startService } = await import("./service.js");
  const container = createContainer();
  container.register(RENDERER, { useValue: renderer });
  return startService(config, log, container, role);
}

/**
 * The first signal lets a start under way and running requests end; a second one does not wait.
 * @returns aborted by the first signal.
 */
function endOnSignal(stop: () => Promise<void>, log: Log): AbortSignal {
  const ending = new AbortController();
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

/** A fault that its reader can mend is said in its own words; of any other, all that is known. */
function fail(error: unknown): never {
  const text =
    error instanceof PlatenError
      ? `platen: ${errorText(error)}`
      : error instanceof Error
        ? error.stack
        : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
