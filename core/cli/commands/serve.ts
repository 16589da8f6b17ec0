import type { Command } from "commander";
import type { RunService } from "../services.js";

/** `platen serve` */
export function addServe(program: Command, runService: RunService): void {
  program
    .command("serve")
    .description("answer requests; leave batches and webhooks to workers")
    .action(() => runService("serve"));
}
