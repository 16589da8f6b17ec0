import type { Command } from "commander";
import { moment } from "../moment.js";
import { complain, print } from "../output.js";
import type { WithServices } from "../services.js";

interface Options {
  org: string;
  scopes: string;
  name?: string;
  user?: string;
  expires?: Date;
  rateLimit?: number;
  json?: boolean;
}

/** `platen key create` */
export function keyCreate(key: Command, withServices: WithServices): void {
  key
    .command("create")
    .description("create an API key, which is shown this once")
    .requiredOption("--org <id>", "the organization")
    .requiredOption("--scopes <list>", "what it may do, with commas, or: all")
    .option("--name <name>", "what it is for")
    .option("--user <id>", "in whose name it acts")
    .option("--expires <time>", "when it ends: a date or a time", moment)
    .option(
      "--rate-limit <n>",
      "requests a minute; default: the plan's",
      Number,
    )
    .option("--json", "print { id, key, … }")
    .action((options: Options) =>
      withServices(async ({ actor, keys }) => {
        const { org, name, user: userId, expires: expiresAt } = options;
        const requestsPerMinute = options.rateLimit;
        const scopes = options.scopes.split(",").map((word) => word.trim());
        const input = { scopes, name, userId, expiresAt, requestsPerMinute };
        const made = await keys.create(org, input, actor);
        if (!options.json)
          complain("Keep this key: it is shown this once and nowhere stored.");
        print(options, made, made.key);
      }),
    );
}
