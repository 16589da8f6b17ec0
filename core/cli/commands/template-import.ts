import type { Command } from "commander";
import { readJson } from "../input-file.js";
import { complain, print, problemLine } from "../output.js";
import type { WithServices } from "../services.js";

interface Options {
  org: string;
  template?: string;
  note?: string;
  json?: boolean;
}

/** `platen template import` */
export function templateImport(
  template: Command,
  withServices: WithServices,
): void {
  template
    .command("import")
    .description(
      "check a template file and publish it as a new template, or as the definition of one there is",
    )
    .argument("<file>", "the template file; - reads standard input")
    .requiredOption("--org <id>", "the organization")
    .option("--template <id>", "give this template the file's definition")
    .option(
      "--note <text>",
      "with --template: make a new version, and say what changed",
    )
    .option("--json", "print { id, version }")
    .action((file: string, options: Options) =>
      withServices(async ({ actor, organizations, templates }) => {
        const owner = await organizations.ownUser(options.org);
        const input = await readJson(file);
        const catalogue = await templates();
        const made =
          options.template === undefined
            ? await catalogue.publish(owner, input, actor)
            : await catalogue.redefine(
                owner,
                options.template,
                { definition: definitionIn(input), versionNote: options.note },
                actor,
              );
        for (const warning of made.warnings)
          complain(`warning:${problemLine(warning)}`);
        const { id, version } = made;
        print(options, { id, version }, `Published as ${id}.`);
      }),
    );
}

/** What a template file holds of it; undefined when it holds none. */
function definitionIn(file: unknown): unknown {
  return typeof file === "object" && file !== null && "definition" in file
    ? file.definition
    : undefined;
}
