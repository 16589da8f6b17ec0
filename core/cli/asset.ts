import { basename } from "node:path";
import type { Command } from "commander";
import type { CommandLine } from "./services.js";
import { type OfOrg, print, readBytes, printTable } from "./terminal.js";

export function addAssetCommands(
  asset: Command,
  { withServices }: CommandLine,
): void {
  asset
    .command("add")
    .description("Upload an image, video, PDF or font for use in templates")
    .argument(
      "<file>",
      "A png, jpg, webp, gif, avif, svg, mp4, webm, mov, pdf, ttf, otf, woff or woff2 file; - reads stdin",
    )
    .requiredOption("--org <id>", "Organization ID")
    .option("--name <name>", "Name (default: the file's name)")
    .option("--json", "Print { id, … }")
    .action((file: string, options: OfOrg & { name?: string }) =>
      withServices(async ({ actor, organizations, assets }) => {
        const owner = await organizations.ownUser(options.org);
        const bytes = await readBytes(file);
        const name = options.name ?? basename(file);
        const { uploads } = await assets();
        const added = await uploads.fromBytes(owner, { name, actor, bytes });
        const { use, details } = added;
        const changes = Array.isArray(details?.["changes"])
          ? details["changes"].map((change) => `\n${change}`).join("")
          : "";
        print(options, added, `Added. Use it in templates as ${use}${changes}`);
      }),
    );

  asset
    .command("list")
    .description("List an organization's 100 newest assets, without the trash")
    .requiredOption("--org <id>", "Organization ID")
    .option("--search <text>", "Only names that contain this text")
    .option("--json", "Print an array")
    .action((options: OfOrg & { search?: string }) =>
      withServices(async ({ organizations, assets }) => {
        const { id } = await organizations.get(options.org);
        const query = { page: 1, pageSize: 100, q: options.search };
        const { data } = await (await assets()).list(id, query);
        printTable(options, data, {
          ID: (row) => row.id,
          NAME: (row) => row.name,
          KIND: (row) => row.mimeType,
          BYTES: (row) => String(row.sizeBytes),
          ADDED: (row) => row.createdAt,
        });
      }),
    );
}
