import { type Command, Option } from "commander";
import { z } from "zod";
import { Platen } from "../../sdk/src/index.js";
import {
  type DescribedTemplate,
  readDataTypes,
  type TemplateReader,
} from "../../sdk/src/data-types.js";
import { PlatenError } from "../plugin-api/index.js";
import type { CliServices, CommandLine } from "./services.js";
import { writeWhole } from "./terminal.js";

interface Options {
  template?: string[];
  out?: string;
  org?: string;
  url?: string;
}

export function addTypes(types: Command, cli: CommandLine): void {
  types
    .option(
      "--template <id...>",
      "Templates (default: all active ones of the organization)",
    )
    .option("--out <file>", "File to write (default: stdout)")
    .addOption(
      new Option(
        "--org <id>",
        "Read the templates of this organization in this process",
      ).conflicts("url"),
    )
    .option(
      "--url <url>",
      "Read the templates of the service at this URL, with the API key in PLATEN_API_KEY",
    )
    .addHelpText(
      "after",
      `
@platen/client checks data by these types; its own command platen-types writes the same.

Example:
  PLATEN_API_KEY=plk_... platen types --url https://platen.example.com --out platen-data.d.ts`,
    )
    .action(async (options: Options) => {
      const { org, url } = options;
      if (url !== undefined) {
        const apiKey = await cli.readVariable("PLATEN_API_KEY");
        await write(createClient(url, apiKey), options);
      } else if (org !== undefined)
        await cli.withServices(async (services) =>
          write(await createReader(services, org), options),
        );
      else
        types.error(
          "error: choose where to read templates: --org <id> in this process, or --url <url> on a running service",
        );
    });
}

async function write(
  reader: TemplateReader,
  { template, out }: Options,
): Promise<void> {
  const text = await readDataTypes(reader, template);
  if (out === undefined) process.stdout.write(text);
  else await writeWhole(out, text);
}

function createClient(baseUrl: string, apiKey: string | null): Platen {
  try {
    return new Platen({ baseUrl, apiKey: apiKey ?? "" });
  } catch (error) {
    throw new PlatenError(
      "invalid_request",
      `--url must be the address of a Platen service, and PLATEN_API_KEY a key of it: ${error instanceof Error ? error.message : ""}`,
    );
  }
}

/** What is read of a template, whose definition was checked when it was stored. */
const templateSchema = z.object({
  id: z.string(),
  name: z.string(),
  definition: z.custom<DescribedTemplate["definition"]>(),
});

async function createReader(
  { templates }: CliServices,
  organizationId: string,
): Promise<TemplateReader> {
  const catalog = await templates();
  return {
    templates: {
      async *all() {
        for (let page = 1; ; page += 1) {
          const query = { page, pageSize: 100 };
          const { data } = await catalog.list(organizationId, query);
          yield* data;
          if (data.length < 100) return;
        }
      },
      get: async (id) =>
        templateSchema.parse(await catalog.get(organizationId, id)),
    },
  };
}
