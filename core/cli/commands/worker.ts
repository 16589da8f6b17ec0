import type { Command } from "commander";
import type { RunService } from "../services.js";

/** `platen worker` */
export function addWorker(program: Command, runService: RunService): void {
  program
    .command("worker")
    .description("render the documents of batches and send webhooks")
    .action(() => runService("worker"));
}
