import type { Command } from "commander";
import { readJson } from "../input-file.js";
import { complain, print, problemLine } from "../output.js";
import type { WithServices } from "../services.js";

/** `platen template import` */
export function templateImport(
  template: Command,
  withServices: WithServices,
): void {
  template
    .command("import")
    .description("check a template file and publish it as a new template")
    .argument("<file>", "the template file; - reads standard input")
    .requiredOption("--org <id>", "the organization")
    .option("--json", "print { id, version }")
    .action((file: string, options: { org: string; json?: boolean }) =>
      withServices(async ({ actor, organizations, templates }) => {
        const owner = await organizations.ownUser(options.org);
        const input = await readJson(file);
        const catalogue = await templates();
        const made = await catalogue.publish(owner, input, actor);
        for (const warning of made.warnings)
          complain(`warning:${problemLine(warning)}`);
        const { id, version } = made;
        print(options, { id, version }, `Published as ${id}.`);
      }),
    );
}
