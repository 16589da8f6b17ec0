import type { Command } from "commander";
import { PlatenError } from "../../plugin-api/index.js";
import { readJson } from "../input-file.js";
import { print } from "../output.js";
import type { WithServices } from "../services.js";

interface Options {
  org: string;
  platform?: string;
  provider?: string;
  name: string;
  credentials: string;
  json?: boolean;
}

/** `platen connection add` */
export function connectionAdd(
  connection: Command,
  withServices: WithServices,
): void {
  connection
    .command("add")
    .description(
      "save access to a platform or an e-signature provider; its secrets are kept encrypted",
    )
    .requiredOption("--org <id>", "the organization")
    .option("--platform <id>", "a platform, as `platen plugin list` shows it")
    .option(
      "--provider <id>",
      "in its place, an e-signature provider, such as docuseal",
    )
    .requiredOption("--name <name>", "what people call it")
    .requiredOption("--credentials <file>", "a JSON file, or - for stdin")
    .option("--json", "print the connection")
    .action((options: Options) =>
      withServices(async ({ actor, organizations, platforms }) => {
        const { platform, provider, name } = options;
        const owner = await organizations.ownUser(options.org);
        const credentials = asObject(await readJson(options.credentials));
        const { connections } = await platforms();
        const input = { platform, provider, name, credentials };
        const made = await connections.create(owner, input, actor);
        const next = `Test it: platen connection test ${made.id} --org ${made.organizationId}`;
        print(options, made, `Saved as ${made.id}. ${next}`);
      }),
    );
}

function asObject(value: unknown): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return { ...value };
  throw new PlatenError(
    "invalid_request",
    'Credentials are a JSON object, such as { "token": "…" }.',
  );
}
