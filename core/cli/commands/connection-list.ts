import type { Command } from "commander";
import type {
  ConnectionView,
  Connections,
} from "../../integrations/connections/index.js";
import { print, table } from "../output.js";
import type { WithServices } from "../services.js";

/** `platen connection list` */
export function connectionList(
  connection: Command,
  withServices: WithServices,
): void {
  connection
    .command("list")
    .description("list an organization's connections, never their secrets")
    .requiredOption("--org <id>", "the organization")
    .option("--json", "print an array")
    .action((options: { org: string; json?: boolean }) =>
      withServices(async ({ organizations, platforms }) => {
        const { id } = await organizations.get(options.org);
        const { connections } = await platforms();
        const rows = await allOf(connections, id);
        const cells = rows.map((row) => [
          row.id,
          row.platform ?? row.provider ?? "",
          row.name,
          row.problem ?? row.lastError ?? row.state,
        ]);
        const headings = ["ID", "PLUGIN", "NAME", "STATE"];
        print(options, rows, table(headings, cells));
      }),
    );
}

async function allOf(
  connections: Connections,
  organizationId: string,
): Promise<ConnectionView[]> {
  const rows: ConnectionView[] = [];
  for (let page = 1; ; page += 1) {
    const request = { page, pageSize: 100 };
    const { data } = await connections.list(organizationId, request);
    rows.push(...data);
    if (data.length < request.pageSize) return rows;
  }
}
