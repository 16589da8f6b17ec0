import { type Config, loadDotenv, parseConfig } from "../config/index.js";
import { errorText, type Log, PlatenError } from "./contract/index.js";
import { welcome } from "./demo.js";
import { createLog } from "./log.js";
import { startService } from "./service.js";

// The service's process: reads the environment, starts the service, and ends it on SIGTERM or SIGINT.

async function main(): Promise<void> {
  loadDotenv();
  const config = parseConfig(process.env);
  const log = createLog(config.log);
  process.on("uncaughtExceptionMonitor", (error) => {
    log.error({ err: error }, "a fault that nobody caught ends the service");
  });
  await run(config, log);
}

async function run(config: Config, log: Log): Promise<void> {
  for (const warning of config.warnings) log.warn({}, warning);
  const service = await startService(config, log);
  const { baseUrl, demo } = service;
  endOnSignal(() => service.stop(), log);
  log.info({ url: baseUrl }, "platen is ready");
  if (demo) process.stderr.write(welcome(baseUrl, demo));
}

/** The first signal lets running requests end; a second one does not wait. */
function endOnSignal(stop: () => Promise<void>, log: Log): void {
  let isEnding = false;
  const end = (signal: string) => {
    if (isEnding) process.exit(1);
    isEnding = true;
    log.info({ signal }, "stopping");
    stop().then(() => log.info({}, "stopped"), fail);
  };
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
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

await main().catch(fail);
