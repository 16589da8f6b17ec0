import type { Command } from "commander";
import type { OrganizationView } from "../accounts/index.js";
import { clock } from "../lib/clock.js";
import type { CommandLine } from "./services.js";
import { parseList, print, properties, printTable } from "./terminal.js";

interface NewOrganization {
  name: string;
  plan: "free" | "pro" | "premium" | "enterprise";
  json?: boolean;
}

interface ChangedOrganization {
  privateNetworks: string[];
  json?: boolean;
}

export function addOrgCommands(
  org: Command,
  { withServices }: CommandLine,
): void {
  org
    .command("create")
    .description("Create an organization, with a service user of its own")
    .requiredOption("--name <name>", "Name")
    .requiredOption("--plan <plan>", "free, pro, premium or enterprise")
    .option("--json", "Print { id, name, plan, privateNetworks, createdAt }")
    .action((options: NewOrganization) =>
      withServices(async ({ actor, organizations }) => {
        const { name, plan } = options;
        const created = await organizations.create({ name, plan }, actor);
        print(options, created, describe(created));
      }),
    );

  org
    .command("set")
    .description("Change an organization")
    .argument("<id>", "Organization ID")
    .requiredOption(
      "--private-networks <list>",
      "Private networks that it may call, of those in PLATEN_ALLOW_PRIVATE_NETWORKS, separated by commas; or none; or default for all of them",
      parseList,
    )
    .option("--json", "Print { id, name, plan, privateNetworks, createdAt }")
    .action((id: string, options: ChangedOrganization) =>
      withServices(async ({ actor, organizations }) => {
        const { privateNetworks } = options;
        const patch = { privateNetworks: parseChoice(privateNetworks) };
        const changed = await organizations.change(id, patch, actor);
        print(options, changed, describe(changed));
      }),
    );

  org
    .command("list")
    .description("List organizations and their usage this month")
    .option("--json", "Print an array")
    .action((options: { json?: boolean }) =>
      withServices(async ({ organizations, usage }) => {
        const month = clock.date().toISOString().slice(0, 7);
        const rows = [];
        for (const organization of await organizations.list()) {
          const used = await usage(organization.id, month);
          rows.push({ ...organization, usage: { month, ...used } });
        }
        printTable(options, rows, {
          ID: (row) => row.id,
          NAME: (row) => row.name,
          PLAN: (row) => row.plan,
          DOCUMENTS: (row) => String(row.usage.documents),
          CREATED: (row) => row.createdAt,
        });
      }),
    );
}

function describe({ privateNetworks, ...details }: OrganizationView): string {
  return properties({
    ...details,
    ...(privateNetworks && {
      privateNetworks: privateNetworks.join(", ") || "none",
    }),
  });
}

/** Null for `default`. */
function parseChoice(words: readonly string[]): readonly string[] | null {
  const [word] = words;
  if (words.length !== 1) return words;
  return word === "default" ? null : word === "none" ? [] : words;
}
