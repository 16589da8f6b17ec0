import { writeFile } from "node:fs/promises";
import type { Command } from "commander";
import type { WithServices } from "../services.js";

interface Options {
  org?: string;
  output?: string;
}

/** `platen template export` */
export function templateExport(
  template: Command,
  withServices: WithServices,
): void {
  template
    .command("export")
    .description("print a template as a file that can be imported again")
    .argument("<id>", "the template's id")
    .option("--org <id>", "only if it belongs to this organization")
    .option("-o, --output <file>", "write it there")
    .option("--json", "the same: a template file is JSON")
    .action((id: string, { org, output }: Options) =>
      withServices(async ({ templates }) => {
        const catalogue = await templates();
        const owner = org ?? (await catalogue.organizationOf(id));
        const file = await catalogue.export(owner, id);
        const text = `${JSON.stringify(file, null, 2)}\n`;
        if (output === undefined) process.stdout.write(text);
        else await writeFile(output, text);
      }),
    );
}
