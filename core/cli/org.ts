import type { Command } from "commander";
import type { CommandLine } from "./services.js";
import { print, properties, table } from "./terminal.js";

interface NewOrganization {
  name: string;
  plan: "free" | "pro" | "premium" | "enterprise";
  json?: boolean;
}

/** `platen org` */
export function addOrgCommands(
  org: Command,
  { withServices }: CommandLine,
): void {
  org
    .command("create")
    .description("Create an organization, with a service user of its own")
    .requiredOption("--name <name>", "Name")
    .requiredOption("--plan <plan>", "free, pro, premium or enterprise")
    .option("--json", "Print { id, name, plan, createdAt }")
    .action((options: NewOrganization) =>
      withServices(async ({ actor, organizations }) => {
        const { name, plan } = options;
        const created = await organizations.create({ name, plan }, actor);
        print(options, created, properties({ ...created }));
      }),
    );

  org
    .command("list")
    .description("List organizations and their usage this month")
    .option("--json", "Print an array")
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
