import type { Command } from "commander";
import { print, table } from "../output.js";
import type { WithServices } from "../services.js";

/** `platen key list` */
export function keyList(key: Command, withServices: WithServices): void {
  key
    .command("list")
    .description("list an organization's keys, never the keys themselves")
    .requiredOption("--org <id>", "the organization")
    .option("--json", "print an array")
    .action((options: { org: string; json?: boolean }) =>
      withServices(async ({ keys }) => {
        const rows = await keys.list(options.org);
        const cells = rows.map((row) => [
          row.id,
          `${row.prefix}…`,
          row.name,
          stateOf(row),
          row.lastUsedAt ?? "never",
          row.scopes.join(","),
        ]);
        const headings = ["ID", "KEY", "NAME", "STATE", "LAST USED", "SCOPES"];
        print(options, rows, table(headings, cells));
      }),
    );
}

function stateOf({
  revokedAt,
  expiresAt,
}: {
  revokedAt: string | null;
  expiresAt: string | null;
}): string {
  if (revokedAt !== null) return "revoked";
  if (expiresAt === null) return "active";
  return Date.parse(expiresAt) > Date.now() ? `until ${expiresAt}` : "expired";
}
