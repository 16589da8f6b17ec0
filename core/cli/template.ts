import type { Command } from "commander";
import type { UnknownFields } from "../definition/index.js";
import type { DataValidationResult } from "../documents/index.js";
import { describeProblem } from "../plugin-api/index.js";
import type { TemplateListView } from "../templates/index.js";
import type { CliServices, CommandLine } from "./services.js";
import { addSyncCommands } from "./template-sync.js";
import {
  createUnknownFieldsOption,
  type OfOrg,
  parseVersion,
  print,
  readJson,
  warn,
  writeWhole,
  printTable,
} from "./terminal.js";

interface Import extends OfOrg {
  template?: string;
  note?: string;
}

interface Validate {
  org?: string;
  version?: number;
  unknownFields?: UnknownFields;
  json?: boolean;
}

export function addTemplateCommands(template: Command, cli: CommandLine): void {
  const { withServices } = cli;
  addSyncCommands(template, cli);
  template
    .command("import")
    .description(
      "Check a template file and publish it as a new template, or as the definition of an existing one",
    )
    .argument("<file>", "Template file; - reads stdin")
    .requiredOption("--org <id>", "Organization ID")
    .option("--template <id>", "Replace the definition of this template")
    .option(
      "--note <text>",
      "With --template: create a new version, with this note on what changed",
    )
    .option("--json", "Print { id, version }")
    .action((file: string, options: Import) =>
      withServices(async ({ actor, organizations, templates }) => {
        const owner = await organizations.ownUser(options.org);
        const input = await readJson(file);
        const catalog = await templates();
        const published =
          options.template === undefined
            ? await catalog.publish(owner, input, actor)
            : await catalog.redefine(
                owner,
                options.template,
                { definition: definitionIn(input), versionNote: options.note },
                actor,
              );
        for (const warning of published.warnings)
          warn(`warning: ${describeProblem(warning)}`);
        const { id, version } = published;
        print(options, { id, version }, `Published as ${id}.`);
      }),
    );

  template
    .command("export")
    .description("Print a template as a file that can be imported again")
    .argument("<id>", "Template ID")
    .option("--org <id>", "Only if it belongs to this organization")
    .option("-o, --output <file>", "Write to this file instead of stdout")
    .option("--json", "No effect: a template file is JSON")
    .action((id: string, { org, output }: { org?: string; output?: string }) =>
      withServices(async ({ templates }) => {
        const catalog = await templates();
        const owner = org ?? (await catalog.organizationOf(id));
        const file = await catalog.export(owner, id);
        const text = `${JSON.stringify(file, null, 2)}\n`;
        if (output === undefined) process.stdout.write(text);
        else await writeWhole(output, text);
      }),
    );

  template
    .command("validate")
    .description(
      "Check data against a template without rendering; exits with 1 if it is invalid",
    )
    .argument("<id>", "Template ID")
    .argument(
      "<file>",
      "JSON file with a record or an array of records; - reads stdin",
    )
    .option("--org <id>", "Only if it belongs to this organization")
    .option(
      "--version <n>",
      "Version of the template (default: its current definition)",
      parseVersion,
    )
    .addOption(createUnknownFieldsOption())
    .option("--json", "Print { valid, problems }")
    .action((id: string, file: string, options: Validate) =>
      withServices(async ({ templates, dataValidation }) => {
        const { org, version, unknownFields } = options;
        const input = await readJson(file);
        const result = await (
          await dataValidation()
        ).validate(
          {
            organizationId:
              org ?? (await (await templates()).organizationOf(id)),
            templateId: id,
            templateVersion: version,
          },
          listRecordsOf(input),
          unknownFields,
        );
        for (const problem of options.json ? [] : result.problems)
          warn(describeProblem(problem));
        print(options, result, describeResult(result));
        if (!result.valid) process.exitCode = 1;
      }),
    );

  template
    .command("list")
    .description("List templates, the newest first")
    .option("--org <id>", "Only this organization (default: all)")
    .option("--json", "Print an array")
    .action((options: { org?: string; json?: boolean }) =>
      withServices(async (services) => {
        const rows = await listTemplates(services, options.org);
        printTable(options, rows, {
          ID: (row) => row.id,
          NAME: (row) => row.name,
          TYPE: (row) => row.templateType,
          STATE: (row) => (row.isActive ? "active" : "inactive"),
          UPDATED: (row) => row.updatedAt,
          ORG: (row) => row.organizationId,
        });
      }),
    );
}

/** The records of a file with their JSON paths in it. */
function listRecordsOf(input: unknown): { data: unknown; path: string }[] {
  return Array.isArray(input)
    ? input.map((data: unknown, index) => ({ data, path: `$[${index}]` }))
    : [{ data: input, path: "$" }];
}

function describeResult({ valid, problems }: DataValidationResult): string {
  if (valid) return "The data is valid.";
  const count = problems.length;
  return `The data is invalid: ${count} ${count === 1 ? "problem" : "problems"}.`;
}

/** The definition in a template file; undefined when it has none. */
function definitionIn(file: unknown): unknown {
  return typeof file === "object" && file !== null && "definition" in file
    ? file.definition
    : undefined;
}

async function listTemplates(
  { organizations, templates }: CliServices,
  organizationId: string | undefined,
): Promise<TemplateListView[]> {
  const catalog = await templates();
  const owners = organizationId
    ? [await organizations.get(organizationId)]
    : await organizations.list();
  const rows: TemplateListView[] = [];
  for (const { id } of owners) {
    for (let page = 1; ; page += 1) {
      const { data } = await catalog.list(id, { page, pageSize: 100 });
      rows.push(...data);
      if (data.length < 100) break;
    }
  }
  return rows;
}
