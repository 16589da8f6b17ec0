import type { Command } from "commander";
import type { LinkView } from "../../integrations/platforms/index.js";
import { print, table } from "../output.js";
import type { WithServices } from "../services.js";

/** `platen link list` */
export function linkList(link: Command, withServices: WithServices): void {
  link
    .command("list")
    .description("list an organization's newest links, without their addresses")
    .requiredOption("--org <id>", "the organization")
    .option("--json", "print an array")
    .action((options: { org: string; json?: boolean }) =>
      withServices(async ({ organizations, links }) => {
        const { id } = await organizations.get(options.org);
        const page = { page: 1, pageSize: 100 };
        const { data } = await (await links()).list(id, page);
        print(options, data, table(headings, data.map(cellsOf)));
      }),
    );
}

const headings = ["ID", "NAME", "PLATFORM", "TABLE", "FIELD", "STATE", "UNTIL"];

function cellsOf(link: LinkView): string[] {
  const { id, name, platform, tableName, state } = link;
  const field = link.attachmentField ?? "-";
  return [id, name, platform, tableName, field, state, link.expiresAt ?? "-"];
}
