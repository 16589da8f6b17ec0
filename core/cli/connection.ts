import type { Command } from "commander";
import type {
  ConnectionService,
  ConnectionTest,
  ConnectionView,
} from "../integrations/connections/index.js";
import { PlatenError } from "../plugin-api/index.js";
import type { CommandLine } from "./services.js";
import { print, readJson, type OfOrg, printTable } from "./terminal.js";

interface NewConnection extends OfOrg {
  platform?: string;
  provider?: string;
  name: string;
  credentials: string;
}

export function addConnectionCommands(
  connection: Command,
  { withServices }: CommandLine,
): void {
  connection
    .command("add")
    .description(
      "Save credentials for a platform or an e-signature provider, encrypted",
    )
    .requiredOption("--org <id>", "Organization ID")
    .option("--platform <id>", "Platform, as shown by `platen plugin list`")
    .option(
      "--provider <id>",
      "E-signature provider, such as docuseal, instead of a platform",
    )
    .requiredOption("--name <name>", "Name")
    .requiredOption("--credentials <file>", "JSON file; - reads stdin")
    .option("--json", "Print the connection")
    .action((options: NewConnection) =>
      withServices(async ({ actor, organizations, platforms }) => {
        const { platform, provider, name } = options;
        const owner = await organizations.ownUser(options.org);
        const credentials = asObject(await readJson(options.credentials));
        const { connections } = await platforms();
        const input = { platform, provider, name, credentials };
        const created = await connections.create(owner, input, actor);
        const next = `Test it: platen connection test ${created.id} --org ${created.organizationId}`;
        print(options, created, `Saved as ${created.id}. ${next}`);
      }),
    );

  connection
    .command("list")
    .description("List an organization's connections, never their credentials")
    .requiredOption("--org <id>", "Organization ID")
    .option("--json", "Print an array")
    .action((options: OfOrg) =>
      withServices(async ({ organizations, platforms }) => {
        const { id } = await organizations.get(options.org);
        const { connections } = await platforms();
        const rows = await listAll(connections, id);
        printTable(options, rows, {
          ID: (row) => row.id,
          PLUGIN: (row) => row.platform ?? row.provider ?? "",
          NAME: (row) => row.name,
          STATE: (row) => row.problem ?? row.lastError ?? row.state,
        });
      }),
    );

  connection
    .command("test")
    .description(
      "Ask the platform or provider whether a connection works; exits with 1 if it does not",
    )
    .argument("<id>", "Connection ID, as shown by `platen connection list`")
    .requiredOption("--org <id>", "Organization ID")
    .option("--json", "Print { connection, account, warnings }")
    .action((id: string, options: OfOrg) =>
      withServices(async ({ platforms }) => {
        const { connections } = await platforms();
        const result = await connections.test(options.org, id);
        print(options, result, describeTest(result));
        if (result.connection.state === "failing") process.exitCode = 1;
      }),
    );

  connection
    .command("rotate-secret")
    .description(
      "Encrypt all saved credentials, webhook secrets and keys of signing certificates again, after PLATEN_SECRET has changed",
    )
    .option("--json", "Print { connections, webhooks, certificates }")
    .action((options: { json?: boolean }) =>
      withServices(async ({ actor, platforms, events, ...services }) => {
        const connections = await (await platforms()).connections.reseal(actor);
        const webhooks = await (await events()).endpoints.reseal();
        const certificates = await (
          await services.certificates()
        ).reseal(actor);
        const unreadable = [connections, webhooks, certificates].flatMap(
          (result) => result.unreadable,
        );
        const done = `Encrypted again: ${connections.count} connections, ${webhooks.count} webhook endpoints, ${certificates.count} signing certificates.`;
        const text =
          unreadable.length === 0
            ? `${done} PLATEN_PREVIOUS_SECRETS is no longer needed.`
            : `${done} No known secret decrypts ${unreadable.join(", ")}. Add the secret they were saved with to PLATEN_PREVIOUS_SECRETS and run this again, or enter them anew.`;
        print(options, { connections, webhooks, certificates }, text);
        if (unreadable.length > 0) process.exitCode = 1;
      }),
    );
}

function asObject(value: unknown): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return { ...value };
  throw new PlatenError(
    "invalid_request",
    'Credentials must be a JSON object, such as { "token": "…" }.',
  );
}

async function listAll(
  connections: ConnectionService,
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

function describeTest({
  connection,
  account,
  warnings,
}: ConnectionTest): string {
  const { state, lastError } = connection;
  if (state === "failing") return `It does not work. ${lastError ?? ""}`;
  const works = account === null ? "It works." : `It works, as ${account}.`;
  return [works, ...warnings.map((text) => `Warning: ${text}`)].join("\n");
}
