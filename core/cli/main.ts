import { loadDotenv, parseConfig } from "../../config/index.js";
import { packageInfo } from "../lib/package-info.js";
import { reportFailure } from "./failure.js";
import { complain } from "./output.js";
import { createProgram } from "./program.js";
import type { Examine, RunService, WithServices } from "./services.js";

// The entry of the command line: reads the environment, runs one command, and ends with its exit code.

/** Nothing is opened, and little is loaded, before a command really runs. */
const withServices: WithServices = async (act) => {
  loadDotenv();
  const config = parseConfig(process.env);
  for (const warning of config.warnings) complain(`warning: ${warning}`);
  const { commandServices } = await import("../app/command-services.js");
  await commandServices(config)(act);
  // A plugin may have left open what would keep the process alive: it gets a moment to end by itself.
  setTimeout(() => process.exit(), 2000).unref();
};

const runService: RunService = async (role) => {
  loadDotenv();
  const service = await import("../app/run-service.js");
  await service.runService(parseConfig(process.env), role);
};

const examine: Examine = async () => {
  loadDotenv();
  const { unusable } = await import("../app/doctor-configuration.js");
  const fault = unusable(process.env);
  if (fault !== null) return [fault];
  const { examineInstallation } = await import("../app/doctor.js");
  return examineInstallation(parseConfig(process.env));
};

const { version } = packageInfo();
try {
  await createProgram(version, withServices, runService, examine).parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error, process.argv.includes("--json"));
}
