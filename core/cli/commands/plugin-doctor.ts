import type { Command } from "commander";
import type { PluginStatus } from "../../integrations/host/index.js";
import { print } from "../output.js";
import type { WithServices } from "../services.js";

/** `platen plugin doctor` */
export function pluginDoctor(
  plugin: Command,
  withServices: WithServices,
): void {
  plugin
    .command("doctor")
    .description("say what is wrong with plugins and how to mend it")
    .option("--json", "print { broken, orphaned }")
    .action((options: { json?: boolean }) =>
      withServices(async ({ platforms }) => {
        const { plugins, connections } = await platforms();
        const all = await plugins.list();
        const broken = all.filter(({ state }) => state === "broken");
        const orphaned = await connections.orphaned();
        const findings = [
          ...broken.map(brokenText),
          ...orphaned.map(
            ({ id, name, problem }) => `Connection ${id} (${name}): ${problem}`,
          ),
        ];
        const good = `All ${all.length} plugins can be used.`;
        print(options, { broken, orphaned }, findings.join("\n") || good);
        if (findings.length > 0) process.exitCode = 1;
      }),
    );
}

function brokenText({ title, source, reason }: PluginStatus): string {
  const where = source === title ? title : `${title} (${source})`;
  return `Plugin ${where}: ${reason}`;
}
