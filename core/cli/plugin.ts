import type { Command } from "commander";
import type { PluginStatus } from "../integrations/host/index.js";
import type { CommandLine } from "./services.js";
import { print, table } from "./terminal.js";

/** `platen plugin` */
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
        const cells = all.map((one) => [
          one.id,
          one.kind ?? "-",
          one.version ?? "-",
          one.source,
          describeState(one),
        ]);
        const headings = ["ID", "KIND", "VERSION", "SOURCE", "STATE"];
        print(options, all, table(headings, cells));
      }),
    );

  plugin
    .command("enable")
    .description(
      "Call a plugin again that was disabled because it ended the plugin host; forgets how often it did",
    )
    .argument("<id>", "Plugin ID, as shown by `platen plugin list`")
    .option("--json", "Print { id }")
    .action((id: string, options: { json?: boolean }) =>
      withServices(async ({ platforms, actor }) => {
        const { pluginCatalog } = await platforms();
        await pluginCatalog.enableForAll(actor, id);
        print(options, { id }, `The plugin ${id} is enabled.`);
      }),
    );

  plugin
    .command("doctor")
    .description(
      "Check plugins and connections, and say how to fix what is wrong; exits with 1 if anything is",
    )
    .option("--json", "Print { broken, failed, orphaned }")
    .action((options: { json?: boolean }) =>
      withServices(async ({ platforms }) => {
        const { plugins, connections } = await platforms();
        const all = await plugins.list();
        const broken = all.filter(({ state }) => state === "broken");
        const orphaned = await connections.listOrphaned();
        const failed = all.filter(
          ({ state, failure }) => state === "ready" && failure !== null,
        );
        const problems = [
          ...broken.map(describeBroken),
          ...failed.map(describeFailed),
          ...orphaned.map(
            ({ id, name, problem }) => `Connection ${id} (${name}): ${problem}`,
          ),
        ];
        const good = `All ${all.length} plugins work.`;
        print(
          options,
          { broken, failed, orphaned },
          problems.join("\n") || good,
        );
        if (problems.length > 0) process.exitCode = 1;
      }),
    );
}

function describeState({ state, failure }: PluginStatus): string {
  if (failure === null) return state;
  const { count, reason, isDisabled } = failure;
  const times = count === 1 ? "once" : `${count} times`;
  const shown = isDisabled ? "disabled" : state;
  return `${shown}; ended the plugin host ${times}, because ${reason}`;
}

function describeFailed({ title, id, failure }: PluginStatus): string {
  const { count = 0, reason = "" } = failure ?? {};
  const times = count === 1 ? "once" : `${count} times`;
  return `Plugin ${title}: it ended the plugin host ${times}, because ${reason}. Update it or tell its author. \`platen plugin enable ${id}\` forgets this.`;
}

function describeBroken({ title, source, reason }: PluginStatus): string {
  const where = source === title ? title : `${title} (${source})`;
  return `Plugin ${where}: ${reason}`;
}
