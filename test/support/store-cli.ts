import { execFile } from "node:child_process";
import { programArguments } from "./service-process.js";

export interface CliResult {
  code: number;
  stdout: string;
  stderr: string;
}

export type Cli = (...args: string[]) => Promise<CliResult>;

/** The command line as a process of its own, on the data in this folder. @param input what it reads on stdin */
export function cliOn(dataFolder: string, env: object = {}, input = ""): Cli {
  return (...args) =>
    new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [...programArguments("core/cli/main"), ...args],
        { env: { PATH: process.env.PATH, PLATEN_DATA: dataFolder, ...env } },
        (error, stdout, stderr) => {
          const code = typeof error?.code === "number" ? error.code : 0;
          resolve({ code: error && code === 0 ? -1 : code, stdout, stderr });
        },
      );
      child.stdin?.end(input);
    });
}

/** Creates an organization on the plan pro. @returns its id */
export async function createOrganization(
  cli: Cli,
  name = "A",
): Promise<string> {
  const { id = "" } = await json(
    cli,
    "org",
    "create",
    `--name=${name}`,
    "--plan=pro",
  );
  return id;
}

/** Runs a command with `--json` and reads what it prints. */
export async function json(
  cli: Cli,
  ...args: string[]
): Promise<Record<string, string>> {
  const { code, stdout, stderr } = await cli(...args, "--json");
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`);
  return JSON.parse(stdout);
}
