import type { Command } from "commander";
import { print, table } from "../output.js";
import type { WithServices } from "../services.js";

/** `platen user list` */
export function userList(user: Command, withServices: WithServices): void {
  user
    .command("list")
    .description("list people and their roles")
    .option("--org <id>", "the organization; by default, all of them")
    .option("--json", "print an array")
    .action((options: { org?: string; json?: boolean }) =>
      withServices(async ({ members, organizations }) => {
        if (options.org !== undefined) await organizations.get(options.org);
        const rows = await members.list(options.org);
        const cells = rows.map((row) => [
          row.email,
          row.name,
          row.role,
          row.organizationId,
          row.joinedAt,
        ]);
        const headings = ["E-MAIL", "NAME", "ROLE", "ORGANIZATION", "SINCE"];
        print(options, rows, table(headings, cells));
      }),
    );
}
