import { runProgram } from "../cli/program.js";
import type { CommandLine } from "../cli/services.js";
import { getPackageInfo } from "../lib/package-info.js";

// The process of one command: reads the environment, and loads only what the command asks for.

/** Sets the exit code of the process. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  const { version } = getPackageInfo();
  const parts = { withServices, runService, examine, apiKey };
  const code = await runProgram(args, { version, ...parts });
  if (code !== 0) process.exitCode = code;
}

const withServices: CommandLine["withServices"] = async (act) => {
  const { loadDotenv, parseConfig } = await import("../../config/index.js");
  loadDotenv();
  const config = parseConfig(process.env);
  for (const warning of config.warnings)
    process.stderr.write(`warning: ${warning}\n`);
  const { openServices } = await import("./command-services.js");
  try {
    await openServices(config, act);
  } finally {
    // A plugin may have left open what would keep the process alive.
    setTimeout(() => process.exit(), 2000).unref();
  }
};

const runService: CommandLine["runService"] = async (role) => {
  const { loadDotenv, parseConfig } = await import("../../config/index.js");
  loadDotenv();
  const config = parseConfig(process.env);
  const service = await import("./run-service.js");
  await service.runService(config, role);
};

const examine: CommandLine["examine"] = async (options) => {
  const { loadDotenv } = await import("../../config/index.js");
  loadDotenv();
  const { examineInstallation } = await import("./doctor.js");
  return examineInstallation(process.env, options);
};

/** Alone, without the configuration: a client of a service elsewhere needs no data folder. */
const apiKey: CommandLine["apiKey"] = async () => {
  const { loadDotenv } = await import("../../config/dotenv.js");
  loadDotenv();
  return process.env.PLATEN_API_KEY?.trim() || null;
};
