import { type Command, InvalidArgumentError } from "commander";
import { z } from "zod";
import {
  FORMATS,
  type Format,
  parseLosslessJson,
} from "../plugin-api/index.js";
import type {
  LinkWithUrl,
  RecordSelector,
} from "../integrations/platforms/index.js";
import type { CommandLine } from "./services.js";
import {
  parseList,
  parseTime,
  print,
  type OfOrg,
  printTable,
} from "./terminal.js";

interface NewLink extends OfOrg {
  template: string;
  platform: string;
  name?: string;
  connection?: string;
  base?: string;
  table?: string;
  field?: string;
  formats?: Format[];
  overwrite?: boolean;
  records?: RecordSelector;
  expires?: Date;
}

export function addLinkCommands(
  link: Command,
  { withServices }: CommandLine,
): void {
  link
    .command("create")
    .description(
      "Create a page where people without a key render the records of one table",
    )
    .requiredOption("--org <id>", "Organization ID")
    .requiredOption("--template <id>", "Template ID")
    .requiredOption(
      "--platform <id>",
      "Platform, as shown by `platen plugin list`",
    )
    .option("--name <name>", "Title of the page (default: the template's name)")
    .option(
      "--connection <id>",
      "Connection ID, as shown by `platen connection list` (default: the template's, or the only one)",
    )
    .option("--base <id>", "Base ID, on platforms that have bases")
    .option("--table <name>", "Table ID or name (default: the template's)")
    .option("--field <name>", "Attachment field to write the files to")
    .option(
      "--formats <list>",
      "Formats, separated by commas (default: pdf)",
      parseFormats,
    )
    .option("--overwrite", "Replace the files in the field instead of adding")
    .option(
      "--records <json>",
      'Records that it takes each time: { "viewId": … }, { "filter": … } or { "emptyAttachment": true } (default: those that its address names)',
      parseRecords,
    )
    .option(
      "--expires <time>",
      "Date or time when it expires (default: never)",
      parseTime,
    )
    .option("--json", "Print { id, url, formulas, … }")
    .action((options: NewLink) =>
      withServices(async ({ actor, organizations, links }) => {
        const { organizationId } = await organizations.ownUser(options.org);
        const created = await (
          await links()
        ).create({ organizationId }, inputOf(options), actor);
        print(options, created, describeLink(created));
      }),
    );

  link
    .command("list")
    .description("List an organization's 100 newest links, without their URLs")
    .requiredOption("--org <id>", "Organization ID")
    .option("--json", "Print an array")
    .action((options: OfOrg) =>
      withServices(async ({ organizations, links }) => {
        const { id } = await organizations.get(options.org);
        const page = { page: 1, pageSize: 100 };
        const { data } = await (await links()).list(id, page);
        printTable(options, data, {
          ID: (row) => row.id,
          NAME: (row) => row.name,
          PLATFORM: (row) => row.platform,
          TABLE: (row) => row.tableName,
          FIELD: (row) => row.attachmentField ?? "-",
          STATE: (row) => row.state,
          UNTIL: (row) => row.expiresAt ?? "-",
        });
      }),
    );

  link
    .command("revoke")
    .description("Revoke a link for good")
    .argument("<id>", "Link ID, as shown by `platen link list`")
    .requiredOption("--org <id>", "Organization ID")
    .option("--json", "Print the link")
    .action((id: string, options: OfOrg) =>
      withServices(async ({ actor, links }) => {
        const row = await (await links()).revoke(options.org, id, actor);
        print(options, row, `Revoked “${row.name}”.`);
      }),
    );
}

function inputOf(options: NewLink) {
  return {
    templateId: options.template,
    platform: options.platform,
    name: options.name,
    connectionId: options.connection,
    baseId: options.base,
    tableId: options.table,
    attachmentField: options.field,
    formats: options.formats,
    overwriteExisting: options.overwrite,
    records: options.records,
    expiresAt: options.expires,
  };
}

function parseFormats(list: string): Format[] {
  const words = parseList(list);
  const formats = FORMATS.filter((format) => words.includes(format));
  if (formats.length === new Set(words).size) return formats;
  throw new InvalidArgumentError(`Formats are ${FORMATS.join(", ")}.`);
}

const selectorSchema = z.union([
  z.strictObject({ viewId: z.string().min(1) }),
  z.strictObject({
    filter: z.union([z.string(), z.record(z.string(), z.unknown())]),
  }),
  z.strictObject({ emptyAttachment: z.literal(true) }),
]);

/** Parses a selection of records as the API has it. */
function parseRecords(text: string): RecordSelector {
  try {
    return selectorSchema.parse(parseLosslessJson(text));
  } catch {
    throw new InvalidArgumentError(
      'Give one of these as JSON: { "viewId": "…" }, { "filter": … } or { "emptyAttachment": true }.',
    );
  }
}

function describeLink({
  id,
  name,
  tableName,
  records,
  url,
  formulas,
}: LinkWithUrl): string {
  return [
    `Link ${id} renders “${name}” from ${describeRecords(records)} of the table “${tableName}”.`,
    ...formulas.flatMap(({ where, formula }) => ["", `${where}:`, formula]),
    "",
    records
      ? "The page:"
      : "The page (append ?recordId= and a record's ID, or several separated by commas):",
    url,
  ].join("\n");
}

function describeRecords(records: LinkWithUrl["records"]): string {
  if (records === null) return "records";
  if ("viewId" in records) return `the view “${records.viewName}”`;
  return "filter" in records
    ? "all records that match the filter"
    : "all records without a file";
}
