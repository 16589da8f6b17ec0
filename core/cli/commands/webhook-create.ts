import type { Command } from "commander";
import { complain, print } from "../output.js";
import type { WithServices } from "../services.js";

interface Options {
  org: string;
  url: string;
  events: string;
  description?: string;
  json?: boolean;
}

/** `platen webhook create` */
export function webhookCreate(
  webhook: Command,
  withServices: WithServices,
): void {
  webhook
    .command("create")
    .description("register an endpoint; its secret is shown this once")
    .requiredOption("--org <id>", "the organization")
    .requiredOption("--url <url>", "where events are sent")
    .option("--events <list>", "which events, with commas, or: all", "all")
    .option("--description <text>", "what it is for")
    .option("--json", "print { id, secret, … }")
    .action((options: Options) =>
      withServices(async ({ actor, organizations, events }) => {
        const { url, description } = options;
        const { id: org } = await organizations.get(options.org);
        const { endpoints } = await events();
        const input = { url, description, events: typesOf(options.events) };
        const made = await endpoints.create(org, input, actor);
        if (!options.json)
          complain(
            `Endpoint ${made.id}. Keep its secret: it is shown this once.`,
          );
        print(options, made, made.secret);
      }),
    );
}

function typesOf(list: string): string[] | undefined {
  if (list.trim() === "all") return undefined;
  return list.split(",").map((word) => word.trim());
}
