import type { Command } from "commander";
import { clock } from "../lib/clock.js";
import type { CommandLine } from "./services.js";
import {
  type OfOrg,
  parseList,
  parseTime,
  print,
  warn,
  printTable,
} from "./terminal.js";

interface NewKey extends OfOrg {
  scopes: string[];
  name?: string;
  user?: string;
  expires?: Date;
  rateLimit?: number;
  networks?: string[];
}

export function addKeyCommands(
  key: Command,
  { withServices }: CommandLine,
): void {
  key
    .command("create")
    .description("Create an API key, which is shown only once")
    .requiredOption("--org <id>", "Organization ID")
    .requiredOption(
      "--scopes <list>",
      "Scopes, separated by commas, or: all",
      parseList,
    )
    .option("--name <name>", "Name (default: API key)")
    .option(
      "--user <id>",
      "ID of the user the key acts for (default: the organization's service user)",
    )
    .option(
      "--expires <time>",
      "Date or time when it expires (default: never)",
      parseTime,
    )
    .option(
      "--rate-limit <n>",
      "Requests per minute (default: the plan's limit)",
      Number,
    )
    .option(
      "--networks <list>",
      "Networks from which it may be used, separated by commas (default: everywhere)",
      parseList,
    )
    .option("--json", "Print { id, key, … }")
    .action((options: NewKey) =>
      withServices(async ({ actor, keys }) => {
        const { org, scopes, name, user, expires, rateLimit, networks } =
          options;
        const created = await keys.create(
          org,
          {
            scopes,
            name,
            userId: user,
            expiresAt: expires,
            requestsPerMinute: rateLimit,
            networks,
          },
          actor,
        );
        if (!options.json)
          warn("Save this key: it is shown this once and not stored anywhere.");
        print(options, created, created.key);
      }),
    );

  key
    .command("list")
    .description("List an organization's keys, never the keys themselves")
    .requiredOption("--org <id>", "Organization ID")
    .option("--json", "Print an array")
    .action((options: OfOrg) =>
      withServices(async ({ keys }) => {
        const rows = await keys.list(options.org);
        printTable(options, rows, {
          ID: (row) => row.id,
          KEY: (row) => `${row.prefix}…`,
          NAME: (row) => row.name,
          STATE: (row) => keyState(row),
          "LAST USED": (row) => row.lastUsedAt ?? "never",
          SCOPES: (row) => row.scopes.join(","),
          NETWORKS: (row) => row.networks?.join(",") ?? "everywhere",
        });
      }),
    );

  key
    .command("revoke")
    .description("Revoke a key for good")
    .argument("<id>", "Key ID, as shown by `platen key list`")
    .option("--json", "Print the key's record")
    .action((id: string, options: { json?: boolean }) =>
      withServices(async ({ actor, keys }) => {
        const revoked = await keys.revoke(id, actor);
        const text = `Revoked ${revoked.prefix}… (${revoked.name}).`;
        print(options, revoked, text);
      }),
    );
}

function keyState({
  revokedAt,
  expiresAt,
}: {
  revokedAt: string | null;
  expiresAt: string | null;
}): string {
  if (revokedAt !== null) return "revoked";
  if (expiresAt === null) return "active";
  return Date.parse(expiresAt) > clock.now() ? `until ${expiresAt}` : "expired";
}
