import type { Command } from "commander";
import type { PluginStatus } from "../integrations/host/index.js";
import type { CommandLine } from "./services.js";
import { print, printTable } from "./terminal.js";

export function addPluginCommands(
  plugin: Command,
  { withServices }: CommandLine,
): void {
  plugin
    .command("list")
    .description("List installed plugins and whether they work")
    .option("--json", "Print an array")
    .action((options: { json?: boolean }) =>
      withServices(async ({ platforms }) => {
        const { plugins } = await platforms();
        const all = await plugins.list();
        printTable(options, all, {
          ID: (status) => status.id,
          KIND: (status) => status.kind ?? "-",
          VERSION: (status) => status.version ?? "-",
          SOURCE: (status) => status.source,
          STATE: (status) => status.state,
        });
      }),
    );

  plugin
    .command("doctor")
    .description(
      "Check plugins and connections, and say how to fix what is wrong; exits with 1 if anything is",
    )
    .option("--json", "Print { broken, orphaned }")
    .action((options: { json?: boolean }) =>
      withServices(async ({ platforms }) => {
        const { plugins, connections } = await platforms();
        const all = await plugins.list();
        const broken = all.filter(({ state }) => state === "broken");
        const orphaned = await connections.listOrphaned();
        const problems = [
          ...broken.map(describeBroken),
          ...orphaned.map(
            ({ id, name, problem }) => `Connection ${id} (${name}): ${problem}`,
          ),
        ];
        const good = `All ${all.length} plugins work.`;
        print(options, { broken, orphaned }, problems.join("\n") || good);
        if (problems.length > 0) process.exitCode = 1;
      }),
    );
}

function describeBroken({ title, source, reason }: PluginStatus): string {
  const where = source === title ? title : `${title} (${source})`;
  return `Plugin ${where}: ${reason}`;
}
