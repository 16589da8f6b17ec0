import type { Command } from "commander";
import { print, properties } from "../output.js";
import type { WithServices } from "../services.js";

interface Options {
  name: string;
  plan: "free" | "pro" | "premium" | "enterprise";
  json?: boolean;
}

/** `platen org create` */
export function orgCreate(org: Command, withServices: WithServices): void {
  org
    .command("create")
    .description("create an organization, with a user of its own")
    .requiredOption("--name <name>", "what it is called")
    .requiredOption("--plan <plan>", "free, pro, premium or enterprise")
    .option("--json", "print { id, name, plan, createdAt }")
    .action((options: Options) =>
      withServices(async ({ actor, organizations }) => {
        const { name, plan } = options;
        const made = await organizations.create({ name, plan }, actor);
        print(options, made, properties({ ...made }));
      }),
    );
}
