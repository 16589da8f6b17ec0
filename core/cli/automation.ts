import type { Command } from "commander";
import type { AutomationView } from "../automations/index.js";
import type { CommandLine } from "./services.js";
import { print, type OfOrg, printTable } from "./terminal.js";

const idHelp = "Automation ID, as shown by `platen automation list`";

export function addAutomationCommands(
  automation: Command,
  { withServices }: CommandLine,
): void {
  automation
    .command("list")
    .description("List an organization's 100 newest automations")
    .requiredOption("--org <id>", "Organization ID")
    .option("--json", "Print an array")
    .action((options: OfOrg) =>
      withServices(async ({ organizations, automations }) => {
        const { id } = await organizations.get(options.org);
        const page = { page: 1, pageSize: 100 };
        const { data } = await (await automations()).list(id, page);
        printTable(options, data, {
          ID: (row) => row.id,
          NAME: (row) => row.name,
          PLATFORM: (row) => row.platform,
          TABLE: (row) => row.tableName,
          WHEN: (row) => describeWhen(row),
          STATE: (row) => row.state,
          "NEXT RUN": (row) => row.nextRuns[0] ?? "-",
          "LAST RUN": (row) => row.lastRun?.status ?? "-",
        });
      }),
    );

  automation
    .command("runs")
    .description("List the 100 newest runs of an automation")
    .argument("<id>", idHelp)
    .requiredOption("--org <id>", "Organization ID")
    .option("--json", "Print an array")
    .action((id: string, options: OfOrg) =>
      withServices(async ({ automations }) => {
        const page = { page: 1, pageSize: 100 };
        const service = await automations();
        const { data } = await service.listRuns(options.org, id, page);
        printTable(options, data, {
          DUE: (row) => row.dueAt,
          ORIGIN: (row) => row.origin,
          STATUS: (row) => row.status,
          DOCUMENTS: (row) =>
            row.documentCount === null ? "-" : String(row.documentCount),
          BATCH: (row) => row.batchId ?? "-",
          MESSAGE: (row) => row.message ?? "",
        });
      }),
    );

  automation
    .command("run")
    .description("Run an automation as soon as a worker is free")
    .argument("<id>", idHelp)
    .requiredOption("--org <id>", "Organization ID")
    .option("--json", "Print the run")
    .action((id: string, options: OfOrg) =>
      withServices(async ({ actor, automations }) => {
        const run = await (await automations()).run(options.org, id, actor);
        print(options, run, `Run ${run.id} waits for a worker.`);
      }),
    );

  for (const [name, isPaused, description, done] of [
    ["pause", true, "Stop an automation until it is resumed", "Paused"],
    ["resume", false, "Let a paused automation run again", "Resumed"],
  ] as const)
    automation
      .command(name)
      .description(description)
      .argument("<id>", idHelp)
      .requiredOption("--org <id>", "Organization ID")
      .option("--json", "Print the automation")
      .action((id: string, options: OfOrg) =>
        withServices(async ({ actor, automations }) => {
          const service = await automations();
          const patch = { isPaused };
          const row = await service.update(options.org, id, patch, actor);
          print(options, row, `${done} “${row.name}”.`);
        }),
      );

  automation
    .command("delete")
    .description("Delete an automation with its log; its batches stay")
    .argument("<id>", idHelp)
    .requiredOption("--org <id>", "Organization ID")
    .option("--json", "Print the automation as it was")
    .action((id: string, options: OfOrg) =>
      withServices(async ({ actor, automations }) => {
        const row = await (await automations()).delete(options.org, id, actor);
        print(options, row, `Deleted “${row.name}”.`);
      }),
    );
}

function describeWhen({ when, changes }: AutomationView): string {
  if ("cron" in when) return `${when.cron} (${when.timeZone})`;
  const reported = changes?.via === "webhook" ? " by webhook, and" : ",";
  return `changes${reported} every ${when.everyMinutes} min`;
}
