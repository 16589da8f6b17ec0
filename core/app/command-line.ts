import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "../cli/program.js";
import type { CommandLine } from "../cli/services.js";
import { getPackageInfo } from "../lib/package-info.js";

// The process of one command: reads the environment, and loads only what the command asks for.

/** Sets the exit code of the process. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  const { version } = getPackageInfo();
  const parts = {
    withServices,
    withLocalPrinter,
    runService,
    examine,
    readVariable,
  };
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

const runService: CommandLine["runService"] = async (role, processes) => {
  const { loadDotenv, parseConfig } = await import("../../config/index.js");
  loadDotenv();
  const config = parseConfig(process.env);
  const service = await import("./run-service.js");
  const { MEMBER } = await import("./processes.js");
  const number = process.env[MEMBER];
  const member = number === undefined ? null : Number(number);
  await service.runService(config, role, processes, member);
};

const examine: CommandLine["examine"] = async (options) => {
  const { loadDotenv } = await import("../../config/index.js");
  loadDotenv();
  const { examineInstallation } = await import("./doctor.js");
  return examineInstallation(process.env, options);
};

/** Of the configuration, only what concerns rendering applies: the data is elsewhere, and of this process alone. */
const withLocalPrinter: CommandLine["withLocalPrinter"] = async (act) => {
  const { loadDotenv, parseConfig } = await import("../../config/index.js");
  loadDotenv();
  const folder = await mkdtemp(join(tmpdir(), "platen-"));
  try {
    const kept = Object.entries(process.env).filter(
      ([name]) => !/^PLATEN_(?:DATA|DATABASE_|FILE_STORE|SECRET)/.test(name),
    );
    const { openLocalPrinter } = await import("./command-services.js");
    const env = { ...Object.fromEntries(kept), PLATEN_DATA: folder };
    await openLocalPrinter(parseConfig(env), act);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Alone, without the configuration: a client of a service elsewhere needs no data folder. */
const readVariable: CommandLine["readVariable"] = async (name) => {
  const { loadDotenv } = await import("../../config/dotenv.js");
  loadDotenv();
  return process.env[name]?.trim() || null;
};
