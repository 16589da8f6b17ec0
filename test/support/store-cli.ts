import { execFile } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { createCommandLine } from "../../core/app/command-line.js";
import { runProgram } from "../../core/cli/program.js";
import { lazyRenderer } from "./renderer.js";
import { programArguments } from "./service-process.js";

export interface CliResult {
  code: number;
  stdout: string;
  stderr: string;
}

export type Cli = (...args: string[]) => Promise<CliResult>;

export interface CliOptions {
  /** What it reads on stdin. */
  input?: string;
  /** Whether its stdout is a terminal. */
  isTerminal?: boolean;
  /** Where it is called; by default, where the tests run. */
  folder?: string;
}

/** The command line on the data in this folder, in this process. @param env its other variables */
export function cliOn(
  dataFolder: string,
  env: object = {},
  options: CliOptions = {},
): Cli {
  return (...args) => {
    const all = { PATH: process.env.PATH, PLATEN_DATA: dataFolder, ...env };
    return runCommand(args, all, options);
  };
}

/** Commands run one after the other, because they share the process. */
let lastCommand: Promise<unknown> = Promise.resolve();

/** Runs a command in this process. @param env all its variables */
export function runCommand(
  args: readonly string[],
  env: object,
  options: CliOptions = {},
): Promise<CliResult> {
  const command = lastCommand.then(() => runAlone(args, env, options));
  lastCommand = command.catch(() => undefined);
  return command;
}

async function runAlone(
  args: readonly string[],
  env: object,
  { input = "", isTerminal = false, folder }: CliOptions,
): Promise<CliResult> {
  const stdout = new Recorder(isTerminal);
  const stderr = new Recorder(false);
  const stdin = Readable.from([Buffer.from(input)]);
  const earlier = Object.entries(
    Object.getOwnPropertyDescriptors(process),
  ).filter(([name]) => REPLACED.includes(name));
  const { exitCode } = process;
  const workingFolder = process.cwd();
  for (const [name, value] of Object.entries({ stdout, stderr, stdin, env }))
    Object.defineProperty(process, name, { value, configurable: true });
  process.exitCode = undefined;
  if (folder !== undefined) process.chdir(folder);
  try {
    const refused = await runProgram(
      args,
      createCommandLine(async () => lazyRenderer),
    );
    return {
      code: refused || readExitCode(),
      stdout: stdout.text(),
      stderr: stderr.text(),
    };
  } finally {
    for (const [name, descriptor] of earlier)
      Object.defineProperty(process, name, descriptor);
    process.exitCode = exitCode;
    process.chdir(workingFolder);
  }
}

const readExitCode = () => Number(process.exitCode ?? 0);

const REPLACED = ["stdout", "stderr", "stdin", "env"];

/** Keeps what is written to it. */
class Recorder extends Writable {
  readonly #chunks: Buffer[] = [];

  constructor(readonly isTTY: boolean) {
    super({ decodeStrings: true });
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString("utf8");
  }
}

/** The command line as a process of its own: for what a process does, such as its exit code and its signals. */
export function cliProcessOn(dataFolder: string, env: object = {}): Cli {
  return (...args) =>
    new Promise((resolve) => {
      execFile(
        process.execPath,
        [...programArguments("core/cli/main"), ...args],
        { env: { PATH: process.env.PATH, PLATEN_DATA: dataFolder, ...env } },
        (error, stdout, stderr) => {
          const code = typeof error?.code === "number" ? error.code : 0;
          resolve({ code: error && code === 0 ? -1 : code, stdout, stderr });
        },
      );
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
