import { basename } from "node:path";
import type { Command } from "commander";
import { operator } from "../../accounts/index.js";
import { readBytes } from "../input-file.js";
import { print } from "../output.js";
import type { WithServices } from "../services.js";

interface Options {
  org: string;
  name?: string;
  json?: boolean;
}

/** `platen asset add` */
export function assetAdd(asset: Command, withServices: WithServices): void {
  asset
    .command("add")
    .description(
      "store a picture, a video, a PDF or a font, to be used in templates",
    )
    .argument(
      "<file>",
      "a png, jpg, webp, gif, avif, svg, mp4, webm, mov, pdf, ttf, otf, woff or woff2",
    )
    .requiredOption("--org <id>", "the organization")
    .option("--name <name>", "what it is called (default: the file's name)")
    .option("--json", "print { id, … }")
    .action((file: string, options: Options) =>
      withServices(async ({ organizations, assets }) => {
        const owner = await organizations.ownUser(options.org);
        const bytes = await readBytes(file);
        const name = options.name ?? basename(file);
        const library = await assets();
        const told = { name, actor: operator, bytes };
        const added = await library.uploads.fromBytes(owner, told);
        print(options, added, `Added. Use it in templates as ${added.use}`);
      }),
    );
}
