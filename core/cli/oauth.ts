import type { Command } from "commander";
import type { CommandLine } from "./services.js";
import { type OfOrg, print, printTable } from "./terminal.js";

export function addOauthCommands(
  oauth: Command,
  { withServices }: CommandLine,
): void {
  oauth
    .command("list")
    .description("List the assistants that an organization's people connected")
    .requiredOption("--org <id>", "Organization ID")
    .option("--json", "Print an array")
    .action((options: OfOrg) =>
      withServices(async (services) => {
        const grants = await services.grants();
        const rows = await grants.list({ organizationId: options.org });
        printTable(options, rows, {
          ID: (row) => row.id,
          ASSISTANT: (row) => row.name,
          HOST: (row) => row.redirectHost,
          PERSON: (row) => row.user.email,
          "LAST USED": (row) => row.lastUsedAt ?? "never",
          SCOPES: (row) => row.scopes.join(","),
        });
      }),
    );

  oauth
    .command("revoke")
    .description("Disconnect an assistant; it has to ask its person again")
    .argument("<id>", "ID, as shown by `platen oauth list`")
    .option("--json", "Print the assistant's record")
    .action((id: string, options: { json?: boolean }) =>
      withServices(async ({ actor, grants }) => {
        const revoked = await (await grants()).revoke(id, actor);
        const text = `Disconnected ${revoked.name} of ${revoked.user.email}.`;
        print(options, revoked, text);
      }),
    );
}
