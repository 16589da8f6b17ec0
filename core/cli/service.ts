import type { Command } from "commander";
import type { CommandLine } from "./services.js";

/** `platen start`, `platen serve` and `platen worker` */
export function addServiceCommand(
  command: Command,
  { runService }: CommandLine,
  role: "all" | "serve" | "worker",
): void {
  command
    .addHelpText(
      "after",
      `
Settings are environment variables, also read from .env in this folder:
  PLATEN_DATA          Folder for the database and files (default: ./data)
  PLATEN_PORT          Port to listen on (default: 3000)
  PLATEN_DATABASE_URL  MySQL or MariaDB instead of SQLite in the data folder
Stop with Ctrl-C or SIGTERM: running requests and renders are finished first.`,
    )
    .action(() => runService(role));
}
