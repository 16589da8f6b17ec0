import type { Command } from "commander";
import { print, table } from "../output.js";
import type { WithServices } from "../services.js";

/** `platen org list` */
export function orgList(org: Command, withServices: WithServices): void {
  org
    .command("list")
    .description("list organizations and what they used this month")
    .option("--json", "print an array")
    .action((options: { json?: boolean }) =>
      withServices(async ({ organizations, usage }) => {
        const month = new Date().toISOString().slice(0, 7);
        const rows = [];
        for (const organization of await organizations.list()) {
          const used = await usage(organization.id, month);
          rows.push({ ...organization, usage: { month, ...used } });
        }
        const cells = rows.map((row) => [
          row.id,
          row.name,
          row.plan,
          String(row.usage.documents),
          row.createdAt,
        ]);
        const headings = ["ID", "NAME", "PLAN", "DOCUMENTS", "CREATED"];
        print(options, rows, table(headings, cells));
      }),
    );
}
