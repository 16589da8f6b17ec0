import type { Command } from "commander";
import { print, table } from "../output.js";
import type { WithServices } from "../services.js";

/** `platen plugin list` */
export function pluginList(plugin: Command, withServices: WithServices): void {
  plugin
    .command("list")
    .description("list what is installed, and whether it can be used")
    .option("--json", "print an array")
    .action((options: { json?: boolean }) =>
      withServices(async ({ platforms }) => {
        const { plugins } = await platforms();
        const all = await plugins.list();
        const cells = all.map((one) => [
          one.id,
          one.kind ?? "-",
          one.version ?? "-",
          one.source,
          one.state,
        ]);
        const headings = ["ID", "KIND", "VERSION", "SOURCE", "STATE"];
        print(options, all, table(headings, cells));
      }),
    );
}
