import { type Command, InvalidArgumentError } from "commander";
import type { CommandLine, Finding } from "./services.js";
import { print } from "./terminal.js";

/** `platen start`, `platen serve` and `platen worker` */
export function addServiceCommand(
  command: Command,
  { runService }: CommandLine,
  role: "all" | "serve" | "worker",
): void {
  command
    .option(
      "--processes <count>",
      "Share the work among so many processes, up to one for each core",
      parseProcesses,
      1,
    )
    .addHelpText(
      "after",
      `
Settings are environment variables, also read from .env in this folder:
  PLATEN_DATA          Folder for the database and files (default: ./data)
  PLATEN_PORT          Port to listen on (default: 3000)
  PLATEN_DATABASE_URL  MySQL or MariaDB instead of SQLite in the data folder
Stop with Ctrl-C or SIGTERM: running requests and renders are finished first.`,
    )
    .action(({ processes }: { processes: number }) =>
      runService(role, processes),
    );
}

function parseProcesses(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= 256) return count;
  throw new InvalidArgumentError("It must be a whole number from 1 to 256.");
}

/** `platen mcp --stdio` */
export function addMcp(mcp: Command, { withServices }: CommandLine): void {
  mcp
    .requiredOption("--stdio", "Communicate over stdin and stdout")
    .option(
      "--root <folder>",
      "Allow the assistant to upload files from this folder (default: none)",
    )
    .addHelpText(
      "after",
      "\nThe assistant starts this command itself. It acts with the API key in PLATEN_API_KEY.",
    )
    .action(({ root }: { root?: string }) =>
      withServices(({ runToolServer }) => runToolServer(root ?? null)),
    );
}

export function addDoctor(doctor: Command, { examine }: CommandLine): void {
  doctor
    .option("--fix", "Close the service's files to other users of the machine")
    .option("--json", "Print [{ check, state, message, fix }]")
    .action(async (options: { fix?: boolean; json?: boolean }) => {
      const findings = await examine({ fix: options.fix === true });
      print(options, findings, findings.map(describeFinding).join("\n"));
      if (findings.some(({ state }) => state === "fail")) process.exitCode = 1;
    });
}

function describeFinding({ check, state, message, fix }: Finding): string {
  const line = `${state.padEnd(4)}  ${check.padEnd(13)}  ${message}`;
  return fix === null ? line : `${line}\n${" ".repeat(21)}-> ${fix}`;
}
