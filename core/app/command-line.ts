import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "../cli/program.js";
import type { CommandLine } from "../cli/services.js";
import { clock } from "../lib/clock.js";
import { getPackageInfo } from "../lib/package-info.js";
import type { CreateRenderer } from "./command-services.js";

// The process of one command: reads the environment, and loads only what the command asks for.

/** Sets the exit code of the process. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  const cli = createCommandLine();
  const code = await runProgram(args, {
    ...cli,
    // A plugin may have left open what would keep the process alive.
    withServices: (act) =>
      cli.withServices(act).finally(() => {
        clock.limit(2000, () => process.exit()).unref();
      }),
  });
  if (code !== 0) process.exitCode = code;
}

/**
 * What commands get from this process. They read its environment when they run.
 * @param createRenderer in place of a browser for each command that prints
 */
export function createCommandLine(
  createRenderer?: CreateRenderer,
): CommandLine {
  return {
    version: getPackageInfo().version,
    withServices: (act) => withServices(act, createRenderer),
    withLocalPrinter: (act) => withLocalPrinter(act, createRenderer),
    runService,
    examine,
    readVariable,
  };
}

async function withServices(
  act: Parameters<CommandLine["withServices"]>[0],
  createRenderer?: CreateRenderer,
): Promise<void> {
  const { loadDotenv, parseConfig } = await import("../../config/index.js");
  loadDotenv();
  const config = parseConfig(process.env);
  for (const warning of config.warnings)
    process.stderr.write(`warning: ${warning}\n`);
  const services = await import("./command-services.js");
  const { createBrowserRenderer, openServices } = services;
  await openServices(config, act, createRenderer ?? createBrowserRenderer);
}

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
async function withLocalPrinter(
  act: Parameters<CommandLine["withLocalPrinter"]>[0],
  createRenderer?: CreateRenderer,
): Promise<void> {
  const { loadDotenv, parseConfig } = await import("../../config/index.js");
  loadDotenv();
  const folder = await mkdtemp(join(tmpdir(), "platen-"));
  try {
    const variables = Object.entries(process.env).filter(
      ([name]) => !/^PLATEN_(?:DATA|DATABASE_|FILE_STORE|SECRET)/.test(name),
    );
    const services = await import("./command-services.js");
    const { createBrowserRenderer, openLocalPrinter } = services;
    const config = parseConfig({
      ...Object.fromEntries(variables),
      PLATEN_DATA: folder,
    });
    await openLocalPrinter(
      config,
      act,
      createRenderer ?? createBrowserRenderer,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Alone, without the configuration: a client of a service elsewhere needs no data folder. */
const readVariable: CommandLine["readVariable"] = async (name) => {
  const { loadDotenv } = await import("../../config/dotenv.js");
  loadDotenv();
  return process.env[name]?.trim() || null;
};
