import type { Command } from "commander";
import type { AssetListView } from "../../assets/index.js";
import { print, table } from "../output.js";
import type { WithServices } from "../services.js";

interface Options {
  org: string;
  search?: string;
  json?: boolean;
}

/** `platen asset list` */
export function assetList(asset: Command, withServices: WithServices): void {
  asset
    .command("list")
    .description("list an organization's newest assets, without the trash")
    .requiredOption("--org <id>", "the organization")
    .option("--search <text>", "a part of the name")
    .option("--json", "print an array")
    .action((options: Options) =>
      withServices(async ({ organizations, assets }) => {
        const { id } = await organizations.get(options.org);
        const query = { page: 1, pageSize: 100, q: options.search };
        const { data } = await (await assets()).list(id, query);
        print(options, data, table(headings, data.map(cellsOf)));
      }),
    );
}

const headings = ["ID", "NAME", "KIND", "BYTES", "ADDED"];

function cellsOf({
  id,
  name,
  mimeType,
  sizeBytes,
  createdAt,
}: AssetListView): string[] {
  return [id, name, mimeType, String(sizeBytes), createdAt];
}
