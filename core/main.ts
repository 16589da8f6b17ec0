import { loadDotenv, parseConfig } from "../config/index.js";
import { errorText, PlatenError } from "./plugin-api/index.js";
import { runService } from "./app/run-service.js";

// The service's process, which does everything; `platen serve` and `platen worker` share it out.

try {
  loadDotenv();
  await runService(parseConfig(process.env), "all");
} catch (error) {
  if (!(error instanceof PlatenError)) throw error;
  process.stderr.write(`platen: ${errorText(error)}\n`);
  process.exitCode = 1;
}
