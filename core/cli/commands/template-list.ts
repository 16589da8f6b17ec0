import type { Command } from "commander";
import type { TemplateListView } from "../../templates/index.js";
import { print, table } from "../output.js";
import type { CliServices, WithServices } from "../services.js";

/** `platen template list` */
export function templateList(
  template: Command,
  withServices: WithServices,
): void {
  template
    .command("list")
    .description("list templates, the newest first")
    .option("--org <id>", "of this organization only")
    .option("--json", "print an array")
    .action((options: { org?: string; json?: boolean }) =>
      withServices(async (services) => {
        const rows = await templatesOf(services, options.org);
        const cells = rows.map((row) => [
          row.id,
          row.name,
          row.templateType,
          row.isActive ? "active" : "inactive",
          row.updatedAt,
          row.organizationId,
        ]);
        const headings = ["ID", "NAME", "TYPE", "STATE", "UPDATED", "ORG"];
        print(options, rows, table(headings, cells));
      }),
    );
}

async function templatesOf(
  { organizations, templates }: CliServices,
  organizationId: string | undefined,
): Promise<TemplateListView[]> {
  const catalogue = await templates();
  const owners = organizationId
    ? [await organizations.get(organizationId)]
    : await organizations.list();
  const rows: TemplateListView[] = [];
  for (const { id } of owners) {
    for (let page = 1; ; page += 1) {
      const { data } = await catalogue.list(id, { page, pageSize: 100 });
      rows.push(...data);
      if (data.length < 100) break;
    }
  }
  return rows;
}
