import type { Command } from "commander";
import type { EndpointView } from "../../webhooks/index.js";
import { print, table } from "../output.js";
import type { CliServices, WithServices } from "../services.js";

/** `platen webhook list` */
export function webhookList(
  webhook: Command,
  withServices: WithServices,
): void {
  webhook
    .command("list")
    .description("list an organization's endpoints, never their secrets")
    .requiredOption("--org <id>", "the organization")
    .option("--json", "print an array")
    .action((options: { org: string; json?: boolean }) =>
      withServices(async (services) => {
        const rows = await endpointsOf(services, options.org);
        const cells = rows.map((row) => [
          row.id,
          row.url,
          stateOf(row),
          row.events.join(","),
        ]);
        const headings = ["ID", "URL", "STATE", "EVENTS"];
        print(options, rows, table(headings, cells));
      }),
    );
}

async function endpointsOf(
  { organizations, events }: CliServices,
  organizationId: string,
): Promise<EndpointView[]> {
  const { id } = await organizations.get(organizationId);
  const { endpoints } = await events();
  // An organization has fewer than a page of them.
  const { data } = await endpoints.list(id, { page: 1, pageSize: 100 });
  return data;
}

function stateOf({ isEnabled, disabledReason, failingSince }: EndpointView) {
  if (!isEnabled) return `disabled: ${disabledReason ?? "by its owner"}`;
  return failingSince === null ? "enabled" : `failing since ${failingSince}`;
}
