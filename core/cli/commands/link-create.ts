import { type Command, InvalidArgumentError } from "commander";
import { FORMATS, type Format } from "../../plugin-api/index.js";
import type { LinkWithUrl } from "../../integrations/platforms/index.js";
import { moment } from "../moment.js";
import { print } from "../output.js";
import type { WithServices } from "../services.js";

interface Options {
  org: string;
  template: string;
  platform: string;
  name?: string;
  connection?: string;
  base?: string;
  table?: string;
  field?: string;
  formats?: Format[];
  overwrite?: boolean;
  expires?: Date;
  json?: boolean;
}

/** `platen link create` */
export function linkCreate(link: Command, withServices: WithServices): void {
  link
    .command("create")
    .description(
      "make a page that makes documents of one template from one table",
    )
    .requiredOption("--org <id>", "the organization")
    .requiredOption("--template <id>", "the template")
    .requiredOption("--platform <id>", "as `platen plugin list` shows it")
    .option("--name <name>", "what people read; by default the template's")
    .option("--connection <id>", "as `platen connection list` shows it")
    .option("--base <id>", "the base, where the platform has bases")
    .option("--table <name>", "by id or name; by default the template's")
    .option("--field <name>", "the attachment field that takes the files")
    .option("--formats <list>", "with commas; by default pdf", formatsOf)
    .option("--overwrite", "files replace what the field holds")
    .option("--expires <time>", "a date or time; by default never", moment)
    .option("--json", "print { id, url, formulas, … }")
    .action((options: Options) =>
      withServices(async ({ actor, organizations, links }) => {
        const { organizationId } = await organizations.ownUser(options.org);
        const owner = { organizationId };
        const made = await (
          await links()
        ).create(owner, inputOf(options), actor);
        print(options, made, inWords(made));
      }),
    );
}

function inputOf(options: Options) {
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
    expiresAt: options.expires,
  };
}

function formatsOf(list: string): Format[] {
  const words = list.split(",").map((word) => word.trim());
  const formats = FORMATS.filter((format) => words.includes(format));
  if (formats.length === new Set(words).size) return formats;
  throw new InvalidArgumentError(`Formats are ${FORMATS.join(", ")}.`);
}

function inWords({ id, name, tableName, url, formulas }: LinkWithUrl): string {
  return [
    `Link ${id} makes “${name}” of records of the table “${tableName}”.`,
    ...formulas.flatMap(({ where, formula }) => ["", `${where}:`, formula]),
    "",
    "The page (add ?recordId= and a record's id):",
    url,
  ].join("\n");
}
